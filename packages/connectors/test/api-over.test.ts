import { expect, test } from 'vitest';
import { operationOf } from '../src/registry.ts';
import { apiOver } from '../src/requests/api-over.ts';

const api = apiOver({
  target: () => ({ root: 'https://crm.example.com/api/v1/public', authorization: 'Bearer key' }),
  idempotencyKey: () => 'key',
  send: () => expect.unreachable('Nothing may be sent.'),
  waiting: () => expect.unreachable('Nothing is waited for.'),
  lost: () => expect.unreachable(),
  refused: () => expect.unreachable(),
});

test.each(['', '.', '..'])(
  'the ID "%s", which leads to another operation, is refused by its field',
  async (id) => {
    const call = { operation: operationOf('leads.move'), path: { id }, body: {} };
    const advice = 'Choose it from the list, or map an ID from an earlier step.';
    await expect(api.call({ ...call, subject: 'Lead' })).rejects.toThrow(`Lead: ${advice}`);
    await expect(api.call(call)).rejects.toThrow(`ID: ${advice}`);
  },
);
