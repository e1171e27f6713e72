import {
  countDeliveryJobs,
  type DeliveryJobCounts,
  failedJobs,
  type QueuePause,
} from '@dealkeep/core/change';
import { type Database, forgottenPauseMs, lateDeliverySeconds } from '@dealkeep/core/foundations';
import {
  type QueueSummary,
  queueSummary,
  type RunningProcess,
  readEnvironment,
  runningProcesses,
} from '@dealkeep/core/installation';
import type { Configuration } from '../configuration.ts';
import { oneLine } from '../one-line.ts';
import { backupFindings } from './examine-backups.ts';
import { connectionFinding, readConnections } from './examine-connections.ts';
import type { Finding } from './finding.ts';

/** What runs on this database, on whatever machine, and how it does: seen in the database itself. */
export async function runningFindings(sql: Database, configuration: Configuration): Promise<Finding[]> {
  const processes = await runningProcesses(sql);
  const queue = await queueSummary(sql);
  return [
    environmentFinding(await readEnvironment(sql), configuration),
    processFinding(processes),
    workerFinding(processes, queue),
    queueFinding(processes, queue),
    pauseFinding(queue),
    jobsFinding(await countDeliveryJobs(sql), await failedJobs(sql)),
    connectionFinding(await readConnections(sql), processes),
    ...(await backupFindings(sql, configuration)),
  ];
}

function environmentFinding(own: string | null, { environment }: Configuration): Finding {
  const check = 'Environment';
  if (own === null || own === environment) {
    const finding =
      own === null ? `the first start makes the database ${environment}` : `the database is ${own}`;
    return { check, state: 'ok', finding };
  }
  const finding = `the database is ${own}, and ENVIRONMENT says ${environment}: a start refuses`;
  const mend = `Set ENVIRONMENT=${own}, or give this environment a database of its own.`;
  return { check, state: 'failed', finding, mend };
}

const placeOf = ({ roles, host }: RunningProcess): string => `${roles.join(',')} on ${host}`;

function processFinding(processes: readonly RunningProcess[]): Finding {
  const check = 'Processes';
  const finding =
    processes.length === 0 ? 'none runs' : `${processes.length} run: ${processes.map(placeOf).join('; ')}`;
  const versions = new Set(processes.map(({ version }) => version));
  if (versions.size > 1) {
    const mend = 'Start the same version everywhere.';
    return { check, state: 'warning', finding: `${finding}; of versions ${[...versions].join(', ')}`, mend };
  }
  const keys = new Set(processes.map(({ secrets_key }) => secrets_key));
  if (keys.size > 1) {
    const mend = 'Give all the same SECRETS_KEY, with the same key in front, and restart them.';
    return { check, state: 'warning', finding: `${finding}; they encrypt with different keys`, mend };
  }
  return { check, state: 'ok', finding };
}

function workerFinding(processes: readonly RunningProcess[], { waiting, mails }: QueueSummary): Finding {
  const check = 'Worker';
  const workers = processes.filter(({ roles }) => roles.includes('worker'));
  if (workers.length > 0) {
    return { check, state: 'ok', finding: `${workers.length} run: ${workers.map(placeOf).join('; ')}` };
  }
  if (processes.length === 0 && waiting + mails === 0) {
    return { check, state: 'ok', finding: 'none runs, and nothing waits for one' };
  }
  return {
    check,
    state: waiting + mails > 0 ? 'failed' : 'warning',
    finding: `none runs: ${waiting} deliveries and ${mails} mails wait`,
    mend: 'Start a process with ROLES=worker (Compose: `docker compose up --detach worker`), and see its log.',
  };
}

function queueFinding(processes: readonly RunningProcess[], queue: QueueSummary): Finding {
  const check = 'Queue';
  const { waiting, due, due_paced, in_flight, oldest_due_seconds, paused_at } = queue;
  const paced = due_paced > 0 ? `, ${due_paced} wait for the pace of their webhook` : '';
  const counts = `${waiting} deliveries wait, ${due - due_paced} of them are due${paced}, ${in_flight} are on their way`;
  if (paused_at !== null) {
    const mend = 'When it is to be sent again: `npx dealkeep queue resume --all`.';
    return { check, state: 'warning', finding: `nothing is sent since ${paused_at}: ${counts}`, mend };
  }
  const held = processes.filter(({ deliveries_held }) => deliveries_held);
  if (held.length > 0) {
    const finding = `DELIVERIES=held in ${held.map(placeOf).join('; ')}: ${counts}`;
    return {
      check,
      state: 'warning',
      finding,
      mend: 'When it is to be sent: take DELIVERIES out, and restart.',
    };
  }
  if (oldest_due_seconds > lateDeliverySeconds) {
    const finding = `the oldest due delivery waits for ${oldest_due_seconds} s: ${counts}`;
    const mend =
      'See the log of the workers; start another one, or raise WEBHOOK_CONCURRENCY, when they are busy all the time.';
    return { check, state: 'warning', finding, mend };
  }
  return { check, state: 'ok', finding: counts };
}

/**
 * Pauses of a part are forgotten easily: whoever made one looks elsewhere, and nothing is late. Of all, see the
 * queue.
 */
function pauseFinding({ pauses, due_paused }: QueueSummary): Finding {
  const check = 'Paused';
  const parts = pauses.filter(({ kind }) => kind !== 'all');
  if (parts.length === 0) return { check, state: 'ok', finding: 'no organization, host or webhook' };
  const long = parts.filter(({ paused_at }) => Date.now() - Date.parse(paused_at) > forgottenPauseMs);
  const counted = `${parts.map(wordsOf).join('; ')}: ${due_paused} due deliveries wait for that`;
  if (long.length === 0) return { check, state: 'ok', finding: counted };
  return {
    check,
    state: 'warning',
    finding: `for more than a day: ${long.map(wordsOf).join('; ')}; ${due_paused} due deliveries wait`,
    mend: `When it is to be sent again: ${long.map((each) => `\`npx dealkeep queue resume ${optionOf(each)}\``).join(', ')}.`,
  };
}

const wordsOf = (pause: QueuePause): string =>
  `${optionOf(pause).replace('--', '')} since ${pause.paused_at}${pause.reason === null ? '' : ` (${oneLine(pause.reason)})`}`;

const optionOf = ({ kind, webhook_id, host, organization }: QueuePause): string =>
  `--${kind} ${webhook_id ?? host ?? organization ?? ''}`.trim();

function jobsFinding(
  { waiting, later, running, lost }: DeliveryJobCounts,
  failed: readonly { task: string; count: number; error: string | null }[],
): Finding {
  const check = 'Jobs';
  const finding = `${waiting} jobs of deliveries wait, ${later} are for later, ${running} run`;
  const failures = failed.map(
    ({ task, count, error }) => `${count} of ${task} failed for good (${oneLine(error ?? 'by hand')})`,
  );
  const troubles = [...(lost > 0 ? [`${lost} are in the hands of workers that are dead`] : []), ...failures];
  if (troubles.length === 0) return { check, state: 'ok', finding };
  return {
    check,
    state: 'warning',
    finding: `${finding}; ${troubles.join('; ')}`,
    mend: 'See the log of the workers. Jobs of the dead are given back within seconds once a worker runs; deliveries get another job; failed mails and tasks go on with graphile_worker.reschedule_jobs (docs/queue.md), else they are removed in the night.',
  };
}
