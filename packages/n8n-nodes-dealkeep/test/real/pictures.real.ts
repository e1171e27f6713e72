import { join } from 'node:path';
import { startDealkeep } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import { expect, onTestFinished, test } from 'vitest';
import { Editor, screenshotFolder } from './editor.ts';
import { importExample } from './imported-example.ts';
import { N8nDriver } from './n8n-driver.ts';

/** `npm run pictures` renews those of the documentation; otherwise it is tried that they still can be taken. */
const folder =
  process.env['PICTURES'] === 'docs'
    ? join(import.meta.dirname, '../../../../docs/pictures')
    : screenshotFolder;
const browser = startChromium();

test('what docs/n8n.md shows of the editor: an example that was imported, and its trigger', async () => {
  const n8n = new N8nDriver();
  const dealkeep = await startDealkeep({ worker: false });
  const { key } = await dealkeep.createOrganization();
  const credential = await n8n.createCredential(dealkeep.baseUrl, key);
  const { id } = await importExample(n8n, '04-follow-up-proposals.json', credential, '');

  const editor = await Editor.open(await browser, n8n.session);
  onTestFinished(() => editor.close());
  const { page } = editor;
  await page.setViewportSize({ width: 1160, height: 620 });
  await page.goto(`${n8n.session.origin}/workflow/${id}`);
  const node = (name: string) => editor.part('canvas-node').filter({ hasText: name });
  await node('Create task').waitFor();
  expect(await editor.part('canvas-node').count()).toBe(2);
  await page.screenshot({ path: join(folder, 'n8n-workflow.png'), animations: 'disabled' });

  await node('Lead moved').dblclick();
  await editor.part('ndv').getByText('Lead Stage Changed').waitFor();
  await page.screenshot({ path: join(folder, 'n8n-trigger.png'), animations: 'disabled' });
});
