import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, systemClock } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { CredentialCache } from '../../src/credentials/credential-cache.ts';

const dealkeep = await startDealkeep({ worker: false });

/** A cache of its own, and how many statements it has sent. */
function counted() {
  let statements = 0;
  const sql: Database = new Proxy(dealkeep.sql, {
    apply(target, self, parts) {
      // Not what names a table only.
      if (Array.isArray(parts[0])) statements += 1;
      return Reflect.apply(target, self, parts);
    },
  });
  const cache = new CredentialCache({ sql, clock: systemClock, environment: 'live', log: dealkeep.core.log });
  return { cache, statements: () => statements };
}

test('no request of a busy process makes a round trip of its own (13.10)', async () => {
  const { key } = await dealkeep.createOrganization();
  const { cache, statements } = counted();
  const begun = performance.now();
  let found = 0;
  while (performance.now() - begun < 600) {
    await Promise.all(
      Array.from({ length: 100 }, () => cache.find({ authorization: `Bearer ${key}`, userAgent: undefined })),
    );
    found += 100;
    await sleep(1);
  }
  const seconds = (performance.now() - begun) / 1000;
  // Eight a second for revocations, one for the key and its last use.
  expect(statements()).toBeLessThan(5 + 10 * seconds);
  expect(found).toBeGreaterThan(10 * statements());
});

test('requests at once ask together (13.10)', async () => {
  const { key } = await dealkeep.createOrganization();
  const { cache, statements } = counted();
  await Promise.all(
    Array.from({ length: 50 }, () => cache.find({ authorization: `Bearer ${key}`, userAgent: undefined })),
  );
  // Whether anything was revoked, the key, and its last use.
  expect(statements()).toBe(3);
});
