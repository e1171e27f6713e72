import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@dealkeep/core/foundations';
import { startProgram } from '../../test/deliveries/running-program.ts';
import { type Row, rounded } from '../row.ts';
import { cpuOf, cpuOfServer } from './cpu.ts';
import { addDeliveries, addWebhooks } from './fill-queue.ts';
import { type BenchTarget, connectBench, makeOrganization } from './organization.ts';

/** A worker that has just started compiles, and looks at everything once. */
const settledAfterMs = 10_000;

/**
 * What a worker costs that has nothing to send: of a core, its own CPU time and PostgreSQL's. With nothing in the
 * queue, and with so many retries, one for each webhook: those within minutes have a job, those within hours have
 * none.
 */
export async function measureIdle(
  target: BenchTarget,
  { retries, seconds }: { retries: number; seconds: number },
  say: (line: string) => void,
): Promise<Row[]> {
  const sql = connectBench(target);
  const rows: Row[] = [];
  try {
    // Without a worker PostgreSQL has its own upkeep to do.
    rows.push(...(await measure(sql, undefined, 'PostgreSQL without a worker', seconds)));
    const worker = await startProgram({ ...target, roles: 'worker', variables: { LOG_LEVEL: 'warn' } });
    try {
      await sleep(settledAfterMs);
      rows.push(...(await measure(sql, worker.pid, 'an idle worker', seconds)));
    } finally {
      await worker.end('SIGTERM');
    }
    const organization = await makeOrganization(sql);
    await addWebhooks(sql, target, organization, { url: 'http://127.0.0.1:9', webhooks: retries });
    await addDeliveries(sql, organization, 1);
    for (const [what, due] of [
      ['within hours', '5 hours'],
      ['within minutes', '8 minutes'],
    ] as const) {
      say(`Idle beside ${retries.toLocaleString('en')} retries ${what}`);
      await sql`update deliveries set attempts = 1, due_at = now() + ${due}::interval`;
      // As the worker that made the first attempts has left them.
      if (what === 'within minutes') await addRetryJobs(sql);
      const beside = await startProgram({ ...target, roles: 'worker', variables: { LOG_LEVEL: 'warn' } });
      try {
        await sleep(settledAfterMs);
        rows.push(...(await measure(sql, beside.pid, `beside ${retries} retries ${what}`, seconds)));
      } finally {
        await beside.end('SIGTERM');
      }
    }
    return rows;
  } finally {
    await sql`delete from deliveries`;
    await sql`
      select graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs where task_identifier = 'deliver'))`;
    await sql.end();
  }
}

async function measure(
  sql: Database,
  pid: number | undefined,
  what: string,
  seconds: number,
): Promise<Row[]> {
  const used = async () => ({ worker: pid ? await cpuOf(pid) : 0, server: await cpuOfServer(sql) });
  const before = await used();
  const started = performance.now();
  await sleep(seconds * 1000);
  const after = await used();
  const share = (spent: number): number => rounded((spent * 100_000) / (performance.now() - started), 2);
  const server = share(after.server - before.server);
  if (pid === undefined) return [{ what, value: server, unit: '% of a core' }];
  return [
    {
      what: `${what}, its CPU`,
      value: share(after.worker - before.worker),
      unit: '% of a core',
      goal: '<= 1',
    },
    { what: `${what}, PostgreSQL's CPU`, value: server, unit: '% of a core', goal: '<= 1' },
  ];
}

const addRetryJobs = (sql: Database) => sql`
  select from graphile_worker.add_jobs(array(
    select ('deliver', json_build_object('organization_id', organization_id, 'webhook_id', webhook_id),
            null, due_at, null, 'deliver/' || webhook_id, null, array['deliver'])::graphile_worker.job_spec
    from deliveries))`;
