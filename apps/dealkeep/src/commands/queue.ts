import {
  discardQueue,
  listQueue,
  pauseQueue,
  type QueueFilter,
  type QueuePart,
  type QueueStatus,
  type QueueSummary,
  queueStatus,
  resumeQueue,
} from '@dealkeep/core/installation';
import type { Command } from 'commander';
import { table } from '../print-result.ts';
import { answers } from './operator.ts';
import { showStatus, showSummary } from './show-queue.ts';

interface PartOptions {
  all?: true;
  webhook?: string;
  host?: string;
  organization?: string;
}

export function queueCommands(program: Command): void {
  const group = program.command('queue').description('what waits to be sent: webhooks and mails');
  const status = group.command('status', { isDefault: true });
  answers<object, QueueStatus>(
    status.description('what waits, who works on it, where it is slow, for whom, and what is paused'),
    ({ sql }) => queueStatus(sql),
    showStatus,
  );
  answers(
    group
      .command('list')
      .description('the webhooks that something waits for, the longest due first')
      .option('--organization <slug>', 'only those of one organization')
      .option('--host <host>', 'only those that go to one host, with a port or without')
      .option('--limit <number>', 'so many at most; 50 when absent'),
    ({ sql }, filter: QueueFilter) => listQueue(sql, filter),
    table,
  );
  const pause = partCommand(group, 'pause')
    .description('send nothing of this part, in any process, until it is resumed; what waits stays')
    .option('--reason <text>', 'kept with it, and shown to the owners of the webhooks');
  answers<PartOptions & { reason?: string }, QueueSummary>(
    pause,
    ({ sql }, options) => pauseQueue(sql, partOf(pause, options), options.reason),
    showSummary,
  );
  const resume = partCommand(group, 'resume').description('send it again, beginning with what has waited');
  answers<PartOptions, QueueSummary>(
    resume,
    ({ sql }, options) => resumeQueue(sql, partOf(resume, options)),
    showSummary,
  );
  answers<{ before: string }>(
    group
      .command('discard')
      .description('take out of the queue what happened before a moment, as after a restore')
      .requiredOption('--all', 'of all organizations')
      .requiredOption('--before <moment>', 'such as 2027-01-31T00:00:00Z'),
    ({ sql }, { before }) => discardQueue(sql, before),
  );
}

/** A command that is about exactly one part of the queue. */
function partCommand(group: Command, name: string): Command {
  const command = group
    .command(name)
    .option('--all', 'all webhooks and mails; not what is paused by one of the others besides')
    .option('--webhook <id>', 'one webhook')
    .option('--host <host>', 'all webhooks that go to a host, with a port (host:8443) or whatever the port')
    .option('--organization <slug>', 'all webhooks of an organization');
  // Checked before the database is opened, as every wrong usage is.
  return command.hook('preAction', () => void partOf(command, command.opts()));
}

/** Ends with the usage unless exactly one part is named. */
function partOf(command: Command, { all, webhook, host, organization }: PartOptions): QueuePart {
  const parts: QueuePart[] = [
    ...(all ? [{ all }] : []),
    ...(webhook === undefined ? [] : [{ webhook }]),
    ...(host === undefined ? [] : [{ host }]),
    ...(organization === undefined ? [] : [{ organization }]),
  ];
  const [part] = parts;
  if (part && parts.length === 1) return part;
  return command.error(
    'error: say which part of the queue with exactly one of --all, --webhook, --host and --organization',
  );
}
