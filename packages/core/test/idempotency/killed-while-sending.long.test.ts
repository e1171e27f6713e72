import { newSecretsKey, parseSecretsKey } from '@dealkeep/core/foundations';
import { startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { startProgram } from '../deliveries/running-program.ts';

test('a process that dies while it sends a test event keeps its key for a minute and no longer', async () => {
  const secretsKey = newSecretsKey();
  const dealkeep = await startDealkeep({ worker: false, secrets: parseSecretsKey(secretsKey) });
  const receiver = await startHookReceiver();
  receiver.answerWith('hang');
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  const { id } = (await api.post('/webhooks', { target_url: receiver.url, event: 'lead.created' })).data;
  const headers = { 'Idempotency-Key': 'dies' };

  const program = await startProgram({ databaseUrl: dealkeep.databaseUrl, secretsKey, roles: 'api' });
  const dying = fetch(`${program.baseUrl}/webhooks/${id}/test`, {
    method: 'POST',
    headers: { authorization: `Bearer ${organization.key}`, ...headers },
  }).catch(() => undefined);
  await receiver.received(1);
  await program.end('SIGKILL');
  expect(await dying).toBeUndefined();

  receiver.answerWith(200);
  const again = () => api.send('POST', `/webhooks/${id}/test`, { headers });
  expect((await again()).outcome).toBe('409 IDEMPOTENCY_IN_PROGRESS');
  await dealkeep.sql`update idempotent_answers set created_at = created_at - interval '3 minutes'`;
  const { data } = await again();
  expect(data).toMatchObject({ delivered: true });
  const repeat = await again();
  expect([repeat.data, repeat.headers.get('idempotent-replayed')]).toEqual([data, 'true']);
  expect(receiver.requests).toHaveLength(2);
});
