import type { OperationId } from '@dealkeep/contract';
import { connect } from '@dealkeep/core/foundations';
import { problemsIn } from '@dealkeep/core/operations';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { bodyWith, declarationOf, expectedOf, largestOf, sendFaulty, withBody } from './faulty-bodies.ts';
import { type Tried, triedOperations } from './told-at-once.ts';

// As much as can be wrong with each operation; each fault alone and in pairs is tried by
// `told-at-once.long.test.ts`.

const dealkeep = await sharedDealkeep();
const { api, token, tried } = await triedOperations(dealkeep);

test('every operation with a body is tried', () => {
  expect(Object.keys(tried).sort()).toEqual(withBody.map(({ id }) => id).sort());
});

test.each(Object.entries<Tried>(tried))(
  '%s tells all that is wrong at once, each field once (rule bodies 9)',
  async (...each) => {
    for (const many of largestOf(each[1].faults)) {
      const { answer, expected } = await sendFaulty(api, each, many);
      expect(Object.keys(answer.fields).sort()).toEqual(expected);
    }
  },
);

test('a check that is asked outside of a change finds the same, without a lock or a write', async () => {
  const settings = { default_transaction_read_only: 'on' };
  const sql = connect(dealkeep.databaseUrl, { connections: 1, name: 'reading only', settings });
  onTestFinished(() => sql.end());
  const core = { ...dealkeep.core, sql };
  const caller = { authorization: `Bearer ${token}`, userAgent: undefined };
  const credential = await dealkeep.core.credentials.find(caller, 'api');
  for (const [id, operation] of Object.entries<Tried>(tried)) {
    const declaration = declarationOf(id);
    const named = new RegExp(`^${declaration.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const path = { ...named.exec(operation.path)?.groups };
    for (const many of largestOf(operation.faults)) {
      const { body, moved } = bodyWith(operation, many);
      const sent: unknown = JSON.parse(JSON.stringify(body));
      const problems = await problemsIn(core, credential, id as OperationId, { path, body: sent });
      expect([id, problems.map((each) => each.path).sort()]).toEqual([id, expectedOf(many, moved)]);
    }
  }
});
