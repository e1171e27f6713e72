import { type DeliveryFailureReason, describeDeliveryFailure } from '@dealkeep/contract';
import type { ApiClient, TestDealkeep, TestOrganization } from '@dealkeep/testing';
import { eventually } from '@dealkeep/testing';

/** A REST hook in an organization of its own, and what becomes of it. */
export interface Subscriber {
  organization: TestOrganization;
  api: ApiClient;
  hookId: string;
  secret: string;
  /** Makes a lead; answers its id. */
  createLead(name?: string): Promise<string>;
  hookExists(): Promise<boolean>;
  /** What waits for the hook, the first due first. */
  pending(): Promise<{ event_id: string; attempts: number; due_at: string; worker_id: number | null }[]>;
  /** The delivery log, oldest first. */
  log(): Promise<LoggedAttempt[]>;
  /** Waits until so many attempts are in the log. */
  logged(count: number): Promise<LoggedAttempt[]>;
}

export interface LoggedAttempt {
  event_id: string;
  number: number;
  started_at: string;
  duration_ms: number;
  status: number | null;
  error: string | null;
  response_start: string | null;
}

interface SubscriberOptions {
  events?: readonly string[];
  /** The organization of another subscriber. */
  organization?: TestOrganization;
  /** A key of its own instead of the organization's. */
  key?: string;
}

export async function subscribe(
  dealkeep: TestDealkeep,
  targetUrl: string,
  { events = ['lead.created'], organization: given, key }: SubscriberOptions = {},
): Promise<Subscriber> {
  const organization = given ?? (await dealkeep.createOrganization());
  const api = dealkeep.as(key ?? organization.key);
  const { id: hookId, secret } = (await api.post('/webhooks', { target_url: targetUrl, events })).data;
  const { sql } = dealkeep;
  const log = async (): Promise<LoggedAttempt[]> => {
    const rows = await sql<
      (LoggedAttempt & { failure: DeliveryFailureReason | null; detail: string | null })[]
    >`
      select event_id, number, started_at, duration_ms, status, failure, failure_detail as detail, response_start
      from attempts where webhook_id = ${hookId} order by started_at, id`;
    return rows.map(({ failure, detail, ...attempt }) => ({
      ...attempt,
      error: failure && describeDeliveryFailure(failure, detail).en,
    }));
  };
  return {
    organization,
    api,
    hookId,
    secret,
    createLead: async (name = 'Lead') => (await api.post('/leads', { name })).data.id,
    hookExists: async () => (await sql`select from webhooks where id = ${hookId}`).length > 0,
    pending: () => sql`
      select event_id, attempts, due_at, worker_id from deliveries
      where webhook_id = ${hookId} order by due_at, event_id`,
    log,
    logged: (count) =>
      eventually(async () => {
        const attempts = await log();
        if (attempts.length < count) throw new Error(`${attempts.length} of ${count} attempts are logged`);
        return attempts;
      }),
  };
}
