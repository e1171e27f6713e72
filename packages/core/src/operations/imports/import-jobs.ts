import * as z from 'zod';
import type { Statements } from '../../foundations/database/connect.ts';
import { lostImportSeconds } from '../../foundations/operating-limits.ts';
import { ofAllOrganizations } from '../../identity/tenancy/due-organizations.ts';

/** An import in the database. */
export interface ImportPlace {
  readonly organization: string;
  readonly id: string;
}

/** The task of graphile-worker that works on one import for a while. */
export const importTask = 'work_on_import';
/** One import at a time, so that large files keep one place of a worker, and no more. */
const importQueue = 'imports';
/** Of the jobs that are due, graphile-worker takes the smallest number first: imports come after everything else. */
const importPriority = 20;

export const ImportJob = z.object({ organization: z.guid(), id: z.guid() });

/** Has a worker go on with an import, in the transaction of its cause. */
export async function addImportJob(sql: Statements, { organization, id }: ImportPlace): Promise<void> {
  await sql`
    select from graphile_worker.add_job(
      ${importTask}, ${sql.json({ organization, id })}::json, queue_name => ${importQueue},
      job_key => ${`import/${organization}/${id}`}, priority => ${importPriority})`;
}

/**
 * Goes on with imports that no worker has gone on with for a while, because one died or its job was given up: no row
 * is imported twice, so it does no harm where one still works. Answers how many there were.
 */
export async function continueImports(
  { sql }: { readonly sql: Statements },
  afterSeconds = lostImportSeconds,
): Promise<number> {
  await sql`
    select graphile_worker.force_unlock_workers(array[lost.locked_by])
    from (select distinct locked_by from graphile_worker.jobs
          where task_identifier = ${importTask}
            and locked_at < now() - make_interval(secs => ${afterSeconds})) lost`;
  // An index has those alone that are worked on, of all organizations.
  const waiting = await sql<{ organization: string; id: string }[]>`
    select ${ofAllOrganizations(sql)} organization_id as organization, id from imports
    where status in ('checking', 'running', 'undoing')
      and coalesce(worked_at, created_at) < now() - make_interval(secs => ${afterSeconds})`;
  for (const each of waiting) await addImportJob(sql, each);
  return waiting.length;
}
