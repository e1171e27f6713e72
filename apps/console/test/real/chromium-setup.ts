import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { chromiumPath, screenshotFolder } from './chromium.ts';

/** Sees to Chromium before any test runs, and empties the folder of the screenshots. */
export default async function setup(): Promise<void> {
  if (!existsSync(chromiumPath)) installChromium();
  await rm(screenshotFolder, { recursive: true, force: true });
}

/** By Debian's package, as whoever may install packages. Raises an error that says what is missing. */
function installChromium(): void {
  const missing = `There is no Chromium at ${chromiumPath}: install Debian's package chromium, or name another in CHROMIUM_PATH`;
  if (process.env['CHROMIUM_PATH'] !== undefined || process.getuid?.() !== 0) throw new Error(missing);
  for (const command of ['update -qq', 'install -y -qq --no-install-recommends chromium']) {
    const { status, error } = spawnSync('apt-get', command.split(' '), {
      stdio: ['ignore', 2, 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    if (status !== 0)
      throw new Error(`${missing}. apt-get ${command} did not work: ${error?.message ?? status}`);
  }
}
