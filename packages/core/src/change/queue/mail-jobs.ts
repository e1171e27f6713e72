import { randomUUIDv7 } from 'node:crypto';
import { deliveryFailureReasons } from '@dealkeep/contract';
import * as z from 'zod';
import type { Fragment, Statements, Transaction } from '../../foundations/database/connect.ts';
import { attemptsOfMail, lostMailMinutes } from '../../foundations/operating-limits.ts';

/** What went wrong last: the status that was answered, or why none was. */
const LastError = z.union([
  z.object({ status: z.int() }),
  z.object({ reason: z.enum(deliveryFailureReasons), detail: z.string().nullable() }),
]);
export type LastError = Readonly<z.infer<typeof LastError>>;

/** What the text of a mail about a webhook is made of. Holds no secret: of the address only its host. */
const WebhookMailFacts = z.object({
  webhook_id: z.guid(),
  name: z.string(),
  host: z.string(),
  rest_hook: z.boolean(),
  /** Since when it fails. */
  since: z.string(),
  error: LastError,
});
export type WebhookMailFacts = Readonly<z.infer<typeof WebhookMailFacts>>;

/**
 * The payload of a job that sends a mail. It says whom the mail is for and holds neither an address nor a secret:
 * who reads the queue learns nothing that would let them in. The link of an invitation is made when its mail is
 * sent.
 */
export const MailJob = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['webhook.failing', 'webhook.ended']),
    /** Stable: when a mail is sent a second time because a worker died in between, it is the same. */
    id: z.guid(),
    organization_id: z.guid(),
    user_id: z.guid(),
    facts: WebhookMailFacts,
  }),
  z.object({
    kind: z.literal('invitation'),
    id: z.guid(),
    organization_id: z.guid(),
    invitation_id: z.guid(),
  }),
]);
export type MailJob = Readonly<z.infer<typeof MailJob>>;

/** The task of graphile-worker that sends one mail. */
export const mailTask = 'send_mail';
/** What is held when nothing is to be sent: a worker takes no job with this flag then. */
export const mailFlag = 'mail';
/** One mail after another, so that a mail server that does not answer keeps one place of a worker, and no more. */
const mailQueue = 'mails';
/** Of the jobs that are due, graphile-worker takes the smallest number first: tasks by the clock go before mails. */
const mailPriority = 10;

/** Of the mail that a job sends. A second one about the same, while the first one waits, takes its place. */
const keyOf = (job: MailJob): string =>
  job.kind === 'invitation'
    ? invitationKey(job.organization_id, job.invitation_id)
    : `${keysOf(job.organization_id)}${job.kind}/${job.facts.webhook_id}/${job.user_id}`;

const keysOf = (organization: string): string => `mail/${organization}/`;

const invitationKey = (organization: string, id: string): string => `${keysOf(organization)}invitation/${id}`;

/**
 * Adds a mail to the queue, in the transaction of its cause: it is sent when that is committed, and only then. The
 * NOTIFY of graphile-worker makes such commits follow each other; mails are rare, so nobody waits for that.
 */
export async function addMail(sql: Statements, job: MailJob): Promise<void> {
  await sql`
    select from graphile_worker.add_job(
      ${mailTask}, ${sql.json(job)}::json, queue_name => ${mailQueue}, max_attempts => ${attemptsOfMail},
      job_key => ${keyOf(job)}, priority => ${mailPriority}, flags => ${[mailFlag]}::text[])`;
}

/** The mail of an invitation that waits is not sent. */
export async function removeInvitationMail(
  sql: Statements,
  { organization, id }: { organization: string; id: string },
): Promise<void> {
  await sql`select from graphile_worker.remove_job(${invitationKey(organization, id)})`;
}

/** A condition on `graphile_worker.jobs`. */
export const mailsOf = (sql: Statements, organization: string): Fragment =>
  sql`task_identifier = ${mailTask} and starts_with(key, ${keysOf(organization)})`;

/** No mail of an organization that waits is sent. */
export async function removeMailsOf(sql: Statements, organization: string): Promise<void> {
  await sql`
    select graphile_worker.remove_job(key) from graphile_worker.jobs
    where ${mailsOf(sql, organization)}`;
}

/** No mail that was added before a moment is sent. Answers how many there were. */
export async function removeMailsBefore(sql: Statements, moment: string): Promise<number> {
  const { count } = await sql`
    select graphile_worker.remove_job(key) from graphile_worker.jobs
    where task_identifier = ${mailTask} and key is not null and attempts < max_attempts and created_at < ${moment}`;
  return count;
}

/** A mail that waits, as a backup has it: nothing else tells of it. */
export const WaitingMail = z.object({
  payload: MailJob,
  key: z.string(),
  run_at: z.string(),
  created_at: z.string(),
  attempts: z.int(),
});
export type WaitingMail = Readonly<z.infer<typeof WaitingMail>>;

/**
 * The mails that wait, those that a worker has in its hands as well, the oldest first.
 *
 * @param organization whose they are; of all when absent
 */
export async function waitingMails(sql: Statements, organization?: string): Promise<WaitingMail[]> {
  const [queue] = await sql<{ there: boolean }[]>`
    select to_regclass('graphile_worker._private_jobs') is not null as there`;
  if (!queue?.there) return [];
  return sql<WaitingMail[]>`
    select j.payload, j.key, j.run_at, j.created_at, j.attempts
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${mailTask} and j.attempts < j.max_attempts and j.key is not null
      and starts_with(j.key, ${organization === undefined ? '' : keysOf(organization)})
    order by j.created_at, j.id`;
}

/** Puts a mail of a backup back into the queue, as old and as often tried as it was. */
export async function putMailBack(sql: Statements, mail: WaitingMail): Promise<void> {
  const { payload, key, run_at, created_at, attempts } = mail;
  const [job] = await sql<{ id: number }[]>`
    select id from graphile_worker.add_job(
      ${mailTask}, ${sql.json(payload)}::json, queue_name => ${mailQueue}, run_at => ${run_at},
      max_attempts => ${attemptsOfMail}, job_key => ${key}, priority => ${mailPriority}, flags => ${[mailFlag]}::text[])`;
  await sql`
    update graphile_worker._private_jobs set created_at = ${created_at}, attempts = ${attempts}
    where id = ${job?.id ?? null}`;
}

/** Mails that wait to be sent, also those that were tried before. */
export async function countMails(sql: Statements): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::integer as count from graphile_worker.jobs
    where task_identifier = ${mailTask} and attempts < max_attempts`;
  if (!row) throw new Error('A count gave no row');
  return row.count;
}

/**
 * Gives the mails that died workers had in their hands, and whatever else those had, to the others: graphile-worker
 * itself waits four hours. Answers how many workers there were.
 */
export async function freeLostMails({ sql }: { sql: Statements }): Promise<number> {
  const { count } = await sql`
    select graphile_worker.force_unlock_workers(array[lost.locked_by])
    from (select distinct locked_by from graphile_worker.jobs
          where task_identifier = ${mailTask}
            and locked_at < now() - make_interval(mins => ${lostMailMinutes})) lost`;
  return count;
}

/**
 * Makes mails due that wait for longer than graphile-worker lets a failed job wait (e^10 s, six hours): the clock by
 * which they were to be sent was ahead, and has been set back.
 */
export async function makeMailsDue(sql: Statements): Promise<void> {
  await sql`
    select graphile_worker.reschedule_jobs(array_agg(id), run_at => now())
    from graphile_worker.jobs
    where task_identifier = ${mailTask} and locked_at is null and run_at > now() + interval '7 hours'
    having count(*) > 0`;
}

/** What people are to be told of a webhook. */
export interface WebhookNews {
  organization_id: string;
  webhook_id: string;
  /** It has failed for a day; or it was disabled or removed because it has failed for three. */
  kind: 'failing' | 'ended';
  /** Since when it fails. */
  since: string;
  error: LastError;
}

/** Adds a mail for each user to be told. */
export async function addWebhookMails(tx: Transaction, news: readonly WebhookNews[]): Promise<void> {
  for (const { organization_id: organization, webhook_id: id, kind, since, error } of news) {
    const [webhook] = await tx<{ name: string | null; target_url: string; rest_hook: boolean }[]>`
      select name, target_url, api_key_id is not null or oauth_connection_id is not null as rest_hook
      from webhooks where organization_id = ${organization} and id = ${id}`;
    if (!webhook) continue;
    const { hostname: host } = new URL(webhook.target_url);
    const facts: WebhookMailFacts = {
      webhook_id: id,
      name: webhook.name ?? host,
      host,
      rest_hook: webhook.rest_hook,
      since,
      error,
    };
    for (const user of await usersToNotify(tx, { organization, webhook: id })) {
      await addMail(tx, {
        kind: `webhook.${kind}`,
        id: randomUUIDv7(),
        organization_id: organization,
        user_id: user.id,
        facts,
      });
    }
  }
}

/** Somebody who is told when a webhook fails, and why it is them. */
export interface NotifiedUser {
  webhook_id: string;
  id: string;
  name: string;
  /**
   * `chosen`: they were marked for a manual webhook. `maker`: the key of the REST hook is theirs, or they connected
   * its application. `owner`: none of these is active, and they are an owner.
   */
  because: 'chosen' | 'maker' | 'owner';
}

/** The active users to be told of the webhooks of an organization, or of one of them. */
export const usersToNotify = (
  sql: Statements,
  { organization, webhook = null }: { organization: string; webhook?: string | null },
): Promise<NotifiedUser[]> => sql<NotifiedUser[]>`
  with concerned as (
    select w.id as webhook_id, m.id, m.name,
           case when exists (select from webhook_notified_users n
                             where n.organization_id = w.organization_id and n.webhook_id = w.id and n.user_id = m.id)
                  then 'chosen'
                when m.id in (k.user_id, c.user_id) then 'maker'
                when m.role_id is null then 'owner' end as because
    from webhooks w
    join memberships m on m.organization_id = w.organization_id and m.active
    left join api_keys k on k.organization_id = w.organization_id and k.id = w.api_key_id
    left join oauth_connections c on c.organization_id = w.organization_id and c.id = w.oauth_connection_id
    where w.organization_id = ${organization} and w.deleted_at is null
      and (${webhook}::uuid is null or w.id = ${webhook}))
  select webhook_id, id, name, because from concerned o
  where because <> 'owner' or (because = 'owner' and not exists (
    select from concerned other where other.webhook_id = o.webhook_id and other.because <> 'owner'))
  order by webhook_id, id`;
