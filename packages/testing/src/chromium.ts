import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { afterAll } from 'vitest';

const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

/** Throws when there is no Chromium on this machine, and says how to get one. */
export function assertChromium(): void {
  if (existsSync(path)) return;
  throw new Error(
    `There is no Chromium at ${path}: apt-get install chromium, or name another in CHROMIUM_PATH`,
  );
}

/** Starts Debian's Chromium, or the one at `CHROMIUM_PATH`. */
export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath: path });

/** Starts Chromium for a test file. It closes by itself. */
export async function startChromium(): Promise<Browser> {
  const browser = await launchChromium();
  afterAll(() => browser.close());
  return browser;
}
