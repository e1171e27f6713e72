import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { blocksOf, page } from './guide-blocks.ts';
import { pasted, sendPasted } from './pasted-command.ts';

test('the command by which webhooks begin subscribes', async () => {
  const resolve = async () => [{ address: '93.184.215.14', family: 4 }];
  const dealkeep = await startDealkeep({ worker: false, resolve });
  const { key } = await dealkeep.createOrganization();
  const command = blocksOf(await page('webhooks.md')).find(({ language }) => language === 'sh')?.text ?? '';
  const parts = pasted(command, { BASE_URL: 'http://here/api/v1/public', DEALKEEP_KEY: key });
  const made = await sendPasted(parts, ['http://here', dealkeep.origin]);
  expect(made).toMatchObject({ status: 201, body: { data: { events: ['lead.created', 'lead.won'] } } });
});
