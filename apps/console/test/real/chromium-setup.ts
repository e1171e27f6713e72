import { rm } from 'node:fs/promises';
import { assertChromium } from '@dealkeep/testing/chromium';
import { screenshotFolder } from './screenshot-folder.ts';

/** Sees to it that there is a Chromium before any test runs, and empties the folder of the screenshots. */
export default async function setup(): Promise<void> {
  assertChromium();
  await rm(screenshotFolder, { recursive: true, force: true });
}
