import { OperatorError, seedDemo } from '@dealkeep/core';
import type { Command } from 'commander';
import { answers } from './operator.ts';

export function demoCommands(program: Command): void {
  const group = program.command('demo').description('fictional data');
  answers<{ organization: string; size: string }>(
    group
      .command('seed')
      .description('add fictional companies, contacts and leads to an organization')
      .requiredOption('--organization <slug>')
      .option('--size <size>', 'small (24 companies, 40 leads) or a number of leads', 'small'),
    (operator, { organization, size }) => seedDemo(operator, organization, sizeOf(size)),
  );
}

function sizeOf(text: string): 'small' | number {
  if (text === 'small') return text;
  if (/^\d{1,8}$/.test(text)) return Number(text);
  throw new OperatorError(`--size takes small or a number of leads, not "${text}"`);
}
