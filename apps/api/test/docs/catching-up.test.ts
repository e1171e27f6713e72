import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { blocksOf, page } from './guide-blocks.ts';
import { pasted, sendPasted } from './pasted-command.ts';

const dealkeep = await sharedDealkeep();

test('the commands of the page catch up, and wait for what comes', async () => {
  const { key } = await dealkeep.createOrganization();
  const api = dealkeep.as(key);
  const environment: Record<string, string> = { BASE_URL: 'http://here/api/v1/public', DEALKEEP_KEY: key };
  const send = (command: string) =>
    sendPasted(pasted(command, environment), ['http://here', dealkeep.origin]);
  const commands = blocksOf(await page('catching-up.md')).filter(({ language }) => language === 'sh');
  const [begin = '', goOn = ''] = commands.map(({ text }) => text);
  await api.post('/leads', { name: 'First' });
  const first = await send(begin);
  expect(first).toMatchObject({
    status: 200,
    body: { data: [{ data: { name: 'First' } }], has_more: false },
  });
  environment['CURSOR'] = first.body.next_cursor;
  const waiting = send(goOn);
  await api.post('/leads', { name: 'Second' });
  expect(await waiting).toMatchObject({ status: 200, body: { data: [{ data: { name: 'Second' } }] } });
});
