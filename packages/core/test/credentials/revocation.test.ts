import { type Database, systemClock } from '@dealkeep/core/foundations';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CredentialCache } from '../../src/identity/credentials/credential-cache.ts';

const dealkeep = await sharedDealkeep();

/** A cache of its own, and how many statements it has sent. */
function counted() {
  let statements = 0;
  const sql: Database = new Proxy(dealkeep.sql, {
    apply(target, self, parts) {
      // Not what names a table only, and what is composed into a statement is none of its own.
      if (Array.isArray(parts[0])) {
        statements += 1 - parts.slice(1).filter((part) => part instanceof Promise).length;
      }
      return Reflect.apply(target, self, parts);
    },
  });
  const cache = new CredentialCache({ sql, clock: systemClock, environment: 'live', log: dealkeep.core.log });
  return { cache, statements: () => statements };
}

test('no request of a busy process makes a round trip of its own', async () => {
  const { key } = await dealkeep.createOrganization();
  const { cache, statements } = counted();
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let found = 0;
  for (let ms = 0; ms < 600; ms += 10) {
    await Promise.all(
      Array.from({ length: 100 }, () =>
        cache.find({ authorization: `Bearer ${key}`, userAgent: undefined }, 'api'),
      ),
    );
    found += 100;
    // What was asked ahead of time is answered.
    await dealkeep.sql`select`;
    vi.advanceTimersByTime(10);
  }
  // Eight a second for revocations, one for the key and its last use.
  expect(statements()).toBeLessThan(5 + 10 * 0.6);
  expect(found).toBe(6000);
});

test('requests at once ask together', async () => {
  const { key } = await dealkeep.createOrganization();
  const { cache, statements } = counted();
  await Promise.all(
    Array.from({ length: 50 }, () =>
      cache.find({ authorization: `Bearer ${key}`, userAgent: undefined }, 'api'),
    ),
  );
  // Whether anything was revoked, the key, and its last use.
  expect(statements()).toBe(3);
});
