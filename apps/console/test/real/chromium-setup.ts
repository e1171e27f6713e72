import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { chromiumPath, screenshotFolder } from './chromium.ts';

/** Sees to it that there is a Chromium before any test runs, and empties the folder of the screenshots. */
export default async function setup(): Promise<void> {
  if (!existsSync(chromiumPath)) {
    throw new Error(
      `There is no Chromium at ${chromiumPath}: apt-get install chromium, or name another in CHROMIUM_PATH`,
    );
  }
  await rm(screenshotFolder, { recursive: true, force: true });
}
