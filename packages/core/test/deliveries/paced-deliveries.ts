import { createCore } from '@dealkeep/core';
import type { DeliveryTiming } from '@dealkeep/core/delivering';
import {
  createManualWebhook,
  eventually,
  type HookReceiver,
  type ManualClock,
  promptTiming,
  startHookReceiver,
  type TestDealkeep,
  type TestOrganization,
} from '@dealkeep/testing';
import { startWorker } from '@dealkeep/worker';
import { expect, onTestFinished } from 'vitest';

/** A webhook made by hand in an organization of its own. */
export interface PacedWebhook {
  id: string;
  organization: TestOrganization;
  receiver: HookReceiver;
}

/** A job ends as soon as it has nothing to send, so that the next is found by the clock of the test. */
const timing: Partial<DeliveryTiming> = { ...promptTiming, sweepEveryMs: 10, lingersMs: 0 };

export async function pacedWebhook(
  { core, createOrganization }: TestDealkeep,
  max_per_minute: number | null,
): Promise<PacedWebhook> {
  const receiver = await startHookReceiver();
  const organization = await createOrganization();
  const input = { name: 'Slow', target_url: receiver.url, events: ['lead.created'], max_per_minute };
  const { id } = await createManualWebhook(core, organization, input);
  return { id, organization, receiver };
}

/** What tests of the pace do, with a Dealkeep whose time is the clock's. */
export function pacedDeliveries(dealkeep: TestDealkeep, clock: ManualClock) {
  const { core, sql, databaseUrl } = dealkeep;
  return {
    /** A worker, by its clock or another one. Stops with the test. */
    worker: async (itsClock = core.clock) => {
      const options = {
        core: createCore({ ...core, clock: itsClock }),
        databaseUrl,
        concurrency: 50,
        timing,
      };
      const started = await startWorker(options);
      onTestFinished(() => started.stop(1000));
      return started;
    },

    /** So many deliveries that are due now, one after the other. */
    addDue: ({ id, organization }: PacedWebhook, count: number) => sql`
      with made as (
        insert into events (organization_id, id, type, record_id, occurred_at, envelope)
    select ${organization.id}, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'lead.created', gen_random_uuid(),
           ${clock.now().toISOString()}, json_build_object('n', n)
    from generate_series(1, ${count}::integer) n returning organization_id, id, occurred_at, envelope)
  insert into deliveries (id, organization_id, webhook_id, event_id, due_at, created_at)
  select gen_random_uuid(), organization_id, ${id}, id,
         occurred_at - interval '1 hour' + (envelope::json ->> 'n')::integer * interval '1 millisecond', occurred_at
  from made`,

    /** At this moment nothing more may begin, and nothing is on its way. */
    settled: ({ id }: PacedWebhook) =>
      eventually(async () => {
        const [row] = await sql<{ is_empty: boolean; leased: number }[]>`
      select paced_until > ${clock.now().toISOString()} as is_empty,
             (select count(*)::integer from deliveries where webhook_id = ${id} and worker_id is not null) as leased
      from webhooks where id = ${id}`;
        expect(row).toEqual({ is_empty: true, leased: 0 });
      }),
  };
}
