import { randomUUID } from 'node:crypto';
import { connectQueue, oneServer } from '@dealkeep/core/foundations';
import { ManualClock, testDatabase } from '@dealkeep/testing';
import { expect, onTestFinished } from 'vitest';
import { dueEvents } from '../../src/delivering/deliveries/lease/due-events.ts';
import { leaseDeliveries } from '../../src/delivering/deliveries/lease/lease.ts';
import { pacedStartMs } from '../../src/delivering/webhooks/pace.ts';

interface Pace {
  /** `max_per_minute`. */
  max: number;
  /** The time that passes. */
  seconds: number;
  /** Attempts that begin in that time at least. */
  least: number;
}

/**
 * Two workers lease at once for a webhook with a large backlog whenever time has passed, and a tenth of the attempts
 * is retried. Proves that over any 60 seconds no more attempts can begin than `max`, and hardly fewer do.
 */
export async function attemptsKeepThePace({ max, seconds, least }: Pace): Promise<void> {
  const { sql, url } = await testDatabase();
  const { claims, results, log } = connectQueue(url);
  onTestFinished(async () => {
    await Promise.all([claims.end(), results.end(), log.end()]);
  });
  await sql`insert into workers select id, clock_timestamp() from generate_series(1, 2) id`;
  const clock = new ManualClock();
  const [organization, webhook] = [randomUUID(), randomUUID()];
  const now = (): string => clock.now().toISOString();
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into organizations (id, name, slug, country_code, currency, time_zone, max_webhooks, max_keys, created_at)
      values (${organization}, 'Test', ${organization}, 'SK', 'EUR', 'Europe/Bratislava', 50, 20, ${now()})`;
    await tx`
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at, max_per_minute)
      values (${organization}, ${webhook}, 'Test', 'http://127.0.0.1/', '{lead.created}', '\\x00', ${now()}, ${max})`;
    await tx`
      insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
      select gen_random_uuid(), ${organization}, ${webhook}, 'evt_' || n,
             ${now()}::timestamptz - interval '1 hour' + n * interval '1 millisecond', ${now()}
      from generate_series(1, ${max * 5}::integer) n`;
  });
  const begun: number[] = [];
  const rooms = new Map([[webhook, 32]]);
  const end = clock.now().getTime() + seconds * 1000;
  for (let step = 1; clock.now().getTime() < end; step += 1) {
    const bounds = { now: now(), rooms, bytes: 1_000_000, atLeastOne: true, events: dueEvents(oneServer) };
    const leases = await Promise.all(
      [1, 2].map((workerId) => leaseDeliveries(claims, { ...bounds, workerId })),
    );
    const leased = leases.flatMap((each) => each.leased);
    for (const { startBy, delivery } of leased) {
      expect(startBy).toBe(clock.now().getTime() + pacedStartMs);
      begun.push(clock.now().getTime());
      if (begun.length % 10 === 0)
        await sql`
          update deliveries set worker_id = null, due_at = ${now()}::timestamptz + interval '5 seconds', attempts = 1
          where id = ${delivery.id}`;
    }
    clock.advance(max < 60 ? 2000 + (step % 4) * 500 : 300 + (step % 5) * 150);
  }
  // The first may begin as late as that, the last at once.
  const minute = 60_000 + pacedStartMs;
  for (const at of begun)
    expect(begun.filter((each) => each >= at && each < at + minute).length).toBeLessThanOrEqual(max);
  expect(begun.length).toBeGreaterThanOrEqual(least);
}
