import { planScaleOut, type ScaleOutPlan, scaleOut } from '@dealkeep/core';
import type { Command } from 'commander';
import { requireDirect } from '../check-pooler.ts';
import { migrateAsOwner } from '../open-database.ts';
import { printResult, table } from '../print-result.ts';
import { surroundingsOf } from '../surroundings.ts';
import { onDatabase } from './operator.ts';

export function scaleOutCommand(program: Command): void {
  program
    .command('scale-out')
    .description('experimental: show what it takes to distribute the records over several servers (Citus)')
    .option('--experiment', 'do it, while nothing runs; to be tried with a copy')
    .option('--json', 'print only the result, as JSON')
    .addHelpText('after', '\ndocs/citus.md says what is other there.')
    .action(async ({ experiment = false, json = false }: { experiment?: boolean; json?: boolean }) => {
      const surroundings = surroundingsOf(program);
      const result = await onDatabase(surroundings, async (database) => {
        const url = database.ownerUrl ?? database.directUrl;
        await requireDirect(url, 'a scale-out');
        if (!experiment) return { ...(await planScaleOut(url)), done: false };
        const tell = (line: string): void => void (json || surroundings.stdout.write(`${line}\n`));
        const plan = await scaleOut(url, tell);
        await migrateAsOwner(database);
        return { ...plan, done: true };
      });
      printResult(surroundings, result, json, show);
    });
}

function show({ done, ...plan }: ScaleOutPlan & { done: boolean }): string {
  const { workers, tables, distributed, staying, keys_dropped, keys_made } = plan;
  if (tables.length === 0 && keys_made === 0)
    return `Nothing is left to do: ${distributed} tables are distributed over ${workers.join(', ')}`;
  if (done) return 'Done. Start Dealkeep again.';
  return [
    `Over ${workers.join(', ')} would be distributed, by organization (${distributed} tables are already):`,
    table(tables),
    `${staying} tables stay on this server. ${keys_dropped} foreign keys from records to those go; ${keys_made} between records are made again.`,
    'Meanwhile no process may run, and each table is locked while it is copied. Free disk: as much as the tables take.',
    'Nothing has been changed. `dealkeep scale-out --experiment` does it; ended in the middle, run it again.',
  ].join('\n');
}
