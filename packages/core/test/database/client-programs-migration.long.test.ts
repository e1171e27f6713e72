import { readFile } from 'node:fs/promises';
import { listConnections } from '@dealkeep/core/accounts';
import { connectedUser, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { statementsOf } from '../../src/foundations/database/statements-of.ts';

const migration = new URL('../../migrations/0024-client-programs.sql', import.meta.url);

test('what was taken for connected before programs were noted stays so, and nothing else; run again, it changes nothing', async () => {
  const { sql, createOrganization, ...dealkeep } = await startDealkeep({ worker: false });
  const organization = await createOrganization();
  const target_url = 'http://127.0.0.1:9/';
  /** A key with a hook that leads to an address. */
  const keyWith = async (address: string, name = 'Hook'): Promise<string> => {
    const { id, token } = await organization.createKey();
    const api = dealkeep.as(token);
    const made = await api.post('/webhooks', { target_url, event: 'lead.created', name });
    await sql`update webhooks set target_url = ${address} where id = ${Object(made.json).data.id}`;
    return id;
  };
  const expected = new Map<string, string[]>([
    [await keyWith(target_url, 'n8n: Follow up'), ['n8n']],
    [await keyWith('https://hooks.zapier.com/hooks/standard/1/'), ['zapier']],
    [await keyWith('https://ZAPIER.com:443/x'), ['zapier']],
    [await keyWith('https://notzapier.com/'), []],
    [await keyWith('https://zapier.com.example.org/'), []],
    [await keyWith('https://example.com/zapier.com/'), []],
    [await keyWith(target_url, 'My n8n: other'), []],
    [organization.keyId, []],
  ]);
  const person = await connectedUser(
    { ...dealkeep, sql, createOrganization },
    organization,
    'leads.view=all',
  );
  await sql`
    update oauth_apps a set name = 'Our n8n' from oauth_connections c
    where c.client_id = a.client_id and c.id = ${person.connectionId}`;

  for (let time = 0; time < 2; time += 1) {
    for (const statement of statementsOf(await readFile(migration, 'utf8'))) await sql.unsafe(statement);
    const keys = await sql<{ id: string; platforms: string[] }[]>`
      select id, platforms from api_keys where organization_id = ${organization.id}`;
    expect(new Map(keys.map(({ id, platforms }) => [id, platforms]))).toEqual(expected);
    const connections = await listConnections(sql, { organization: organization.id });
    expect(connections.map(({ platforms }) => platforms)).toEqual([['n8n']]);
  }
});
