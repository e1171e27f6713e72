import { planScaleOut, type ScaleOutPlan, scaleOut } from '@dealkeep/core/installation';
import type { Command } from 'commander';
import { requireDirect } from '../check-pooler.ts';
import { migrateAsOwner } from '../open-database.ts';
import { printResult, table } from '../print-result.ts';
import { surroundingsOf } from '../surroundings.ts';
import { onDatabase } from './operator.ts';

export function scaleOutCommand(program: Command): void {
  program
    .command('scale-out')
    .description('distribute the records over several servers by organization (Citus), while nothing runs')
    .option('--dry-run', 'say what would be distributed and what it takes, and change nothing')
    .option('--json', 'print only the result, as JSON')
    .addHelpText(
      'after',
      '\nEnded half-way, it goes on when it is run again. docs/citus.md says for whom it is, and what is other there.',
    )
    .action(async ({ dryRun = false, json = false }: { dryRun?: boolean; json?: boolean }) => {
      const surroundings = surroundingsOf(program);
      const result = await onDatabase(surroundings, async (database) => {
        const url = database.ownerUrl ?? database.directUrl;
        await requireDirect(url, 'a scale-out');
        if (dryRun) return { ...(await planScaleOut(url)), done: false };
        const tell = (line: string): void => void (json || surroundings.stdout.write(`${line}\n`));
        const begins = (plan: ScaleOutPlan): void => void (isLeft(plan) && tell(extentOf(plan)));
        const plan = await scaleOut(url, { begins, tell });
        await migrateAsOwner(database);
        return { ...plan, done: true };
      });
      printResult(surroundings, result, json, show);
    });
}

/** Whether anything is left to do. */
const isLeft = ({ tables, keys_made }: ScaleOutPlan): boolean => tables.length > 0 || keys_made > 0;

/** What it does, said before it is done. */
const extentOf = ({ workers, tables, distributed, staying, keys_dropped, keys_made }: ScaleOutPlan): string =>
  [
    `To be distributed over ${workers.join(', ')}, by organization (${distributed} tables are already):`,
    table(tables),
    `${staying} tables stay on this server. ${keys_dropped} foreign keys from records to those go; ${keys_made} between records are made again.`,
    'Meanwhile no process may run, and each table is locked while it is copied. Free disk: as much as the tables take.',
  ].join('\n');

function show({ done, ...plan }: ScaleOutPlan & { done: boolean }): string {
  if (!isLeft(plan))
    return `Nothing is left to do: ${plan.distributed} tables are distributed over ${plan.workers.join(', ')}`;
  if (done) return 'Done. Start Dealkeep again.';
  return [
    extentOf(plan),
    'Nothing has been changed. `dealkeep scale-out` does it; ended in the middle, run it again.',
  ].join('\n');
}
