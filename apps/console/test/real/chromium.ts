import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll } from 'vitest';

export const chromiumPath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
export const screenshotFolder = join(import.meta.dirname, '../../screenshots');

/** Starts Chromium for a test file. It closes by itself. */
export async function startChromium() {
  const browser = await chromium.launch({ executablePath: chromiumPath });
  afterAll(() => browser.close());
  return browser;
}
