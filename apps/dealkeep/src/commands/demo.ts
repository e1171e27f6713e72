import { seedDemo } from '@dealkeep/core';
import { type Command, InvalidArgumentError } from 'commander';
import { answers } from './operator.ts';

type Size = 'small' | number;

export function demoCommands(program: Command): void {
  const group = program.command('demo').description('fictional data');
  answers<{ organization: string; size: Size }>(
    group
      .command('seed')
      .description('add fictional records of every kind to an organization')
      .requiredOption('--organization <slug>')
      .option('--size <size>', 'small (24 companies, 40 leads) or a number of leads', sizeOf, 'small'),
    (operator, { organization, size }) => seedDemo(operator, organization, size),
  );
}

function sizeOf(text: string): Size {
  if (text === 'small') return text;
  if (/^\d{1,8}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new InvalidArgumentError('It takes small or a number of leads.');
}
