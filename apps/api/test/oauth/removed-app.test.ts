import { removeOAuthApp } from '@dealkeep/core/accounts';
import { OperatorError } from '@dealkeep/core/foundations';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { registerApp } from './connected-app.ts';

const dealkeep = await sharedDealkeep();
const { core, sql } = dealkeep;

test('a removed application ends everywhere at once: its tokens, codes and REST hooks; another one goes on (rule oauth 1)', async () => {
  const [app, other] = [await registerApp(dealkeep), await registerApp(dealkeep)];
  const [first, second] = [await dealkeep.createOrganization(), await dealkeep.createOrganization()];
  const tokens = [await app.connect(first), await app.connect(second)];
  const kept = dealkeep.as((await other.connect(first)).access_token);
  const api = dealkeep.as(tokens[0]?.access_token ?? '');
  const { data: hook } = await api.post('/webhooks', {
    target_url: 'http://127.0.0.1:4567/',
    event: 'lead.won',
    name: 'Won',
  });
  const waiting = await app.grant(first);

  expect(await removeOAuthApp(core, app.client.client_id)).toEqual({
    client_id: app.client.client_id,
    name: 'Automation',
    connections: 2,
  });
  for (const { access_token } of tokens) {
    expect((await dealkeep.as(access_token).get('/leads')).outcome).toBe('401 UNAUTHORIZED');
  }
  expect(await sql`select 1 from webhooks where id = ${hook.id}`).toEqual([]);
  expect((await app.post(waiting.form)).body.error).toBe('invalid_client');
  expect((await kept.get('/leads')).status).toBe(200);
  await expect(removeOAuthApp(core, app.client.client_id)).rejects.toThrow(OperatorError);
});
