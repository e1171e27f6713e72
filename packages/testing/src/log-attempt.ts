import { randomUUID } from 'node:crypto';
import { sampleEnvelope } from '@dealkeep/contract';
import type { TestDealkeep } from './start-dealkeep.ts';

/**
 * Writes into the delivery log that a hook was sent a sample, as a worker does, where none runs. Answers the id of
 * the event.
 */
export async function logAttempt(
  { sql }: Pick<TestDealkeep, 'sql'>,
  { organization, hook, status = 500 }: { organization: string; hook: string; status?: number },
): Promise<string> {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const sample = sampleEnvelope('lead.created', { id: organization, slug: 'sample' });
  const envelope = JSON.stringify({ ...sample, id });
  await sql`
    insert into events (organization_id, id, type, record_id, occurred_at, envelope, test)
    values (${organization}, ${id}, 'lead.created', ${randomUUID()}, now(), ${envelope}, true)`;
  await sql`
    insert into attempts (organization_id, id, webhook_id, event_id, event_type, number, started_at, duration_ms, status)
    values (${organization}, ${randomUUID()}, ${hook}, ${id}, 'lead.created', 1, now(), 5, ${status})`;
  return id;
}
