import { discardQueue, pauseQueue, queueStanding, resumeQueue } from '@dealkeep/core';
import type { Command } from 'commander';
import { answers } from './operator.ts';

export function queueCommands(program: Command): void {
  const group = program.command('queue').description('what waits to be sent: webhooks and mails');
  answers(group.command('status').description('how much waits, and whether it is sent'), ({ sql }) =>
    queueStanding(sql),
  );
  answers(
    group
      .command('pause')
      .description('send nothing, in any process, until it is resumed')
      .requiredOption('--all', 'of all organizations'),
    ({ sql }) => pauseQueue(sql),
  );
  answers(
    group
      .command('resume')
      .description('send again, beginning with what has waited')
      .requiredOption('--all', 'of all organizations'),
    ({ sql }) => resumeQueue(sql),
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
