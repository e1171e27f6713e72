import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { atWork } from './at-work.ts';

test('the audit log tells an AI assistant apart from a program with the same key', async () => {
  const { api, call, organization } = await atWork();
  const { sql } = await sharedDealkeep();
  await call('create_company', { name: 'By an assistant' });
  await api.post('/companies', { name: 'By a program' });
  const entries = await sql`
    select record_name, actor_kind, via from audit_entries
    where organization_id = ${organization.id} and operation = 'companies.create' order by id desc limit 2`;
  expect([...entries]).toEqual([
    { record_name: 'By a program', actor_kind: 'key', via: 'key' },
    { record_name: 'By an assistant', actor_kind: 'assistant', via: 'key' },
  ]);
});
