import type { QueuePause } from '@dealkeep/core/change';
import type { QueueStatus, QueueSummary } from '@dealkeep/core/installation';
import { table } from '../print-result.ts';

/** The queue in a few lines. */
export function showSummary(queue: QueueSummary): string {
  const { waiting, due, due_paused, due_paced, retrying, in_flight, oldest_due_seconds, mails, pauses } =
    queue;
  const waits = [
    `${due - due_paced} of them due${due_paused > 0 ? ` (${due_paused} are paused)` : ''}`,
    ...(due_paced > 0 ? [`${due_paced} for the pace of their webhook`] : []),
    `${retrying} for a retry`,
  ];
  const lines = [
    `deliveries  ${waiting} wait, ${waits.join(', ')}; ${in_flight} in flight`,
    `oldest due  ${oldest_due_seconds} s`,
    `mails       ${mails} wait`,
  ];
  if (pauses.length === 0) return [...lines, 'paused      nothing'].join('\n');
  return `${lines.join('\n')}\n\nPAUSED\n${table(pauses.map(pauseRow))}`;
}

/** The queue at a glance. */
export function showStatus(queue: QueueStatus): string {
  const { jobs, workers, slowest_hosts: slowest, failing_hosts: failing, organizations } = queue;
  const { waiting, later, running, lost, failed } = jobs;
  const counted = `jobs        ${waiting} wait, ${later} for later, ${running} run, ${lost} of dead workers, ${failed} failed`;
  return [
    `${counted}\n${showSummary(queue)}`,
    section('WORKERS', workers),
    section('SLOWEST HOSTS, last hour', slowest),
    section('FAILING HOSTS, last hour', failing),
    section('ORGANIZATIONS', organizations),
  ].join('\n\n');
}

const section = (title: string, rows: readonly object[]): string => `${title}\n${table(rows)}`;

const pauseRow = ({ kind, organization, host, webhook_id, paused_at, reason }: QueuePause) => ({
  part: kind,
  which: webhook_id ?? host ?? organization ?? 'everything',
  paused_at,
  reason,
});
