// Renders assets/logo.svg to the sizes that Zapier's form takes: `npm run logo`. Needs Chromium.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '@dealkeep/testing/chromium';

const folder = join(import.meta.dirname, '..', 'assets');
/** Zapier asks for 256 pixels at least; twice that is sharp on every screen. */
const sizes = [256, 512];

const svg = await readFile(join(folder, 'logo.svg'), 'utf8');
const chromium = await launchChromium();
try {
  for (const size of sizes) {
    const page = await chromium.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
    await page.screenshot({ path: join(folder, `logo-${size}.png`), omitBackground: true });
  }
} finally {
  await chromium.close();
}
