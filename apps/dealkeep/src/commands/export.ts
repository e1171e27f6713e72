import { appendFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@dealkeep/core/foundations';
import { type ExportSummary, exportOrganization, sayingWhyOfFile } from '@dealkeep/core/installation';
import { makeFolder } from '@dealkeep/embedded-postgres';
import type { Command } from 'commander';
import { table } from '../print-result.ts';
import { answers } from './operator.ts';

export function exportCommand(program: Command): void {
  answers<{ organization: string }, ExportSummary>(
    program
      .command('export')
      .argument('<folder>')
      .description('write everything of an organization as CSV and JSON into an empty folder')
      .requiredOption('--organization <slug>'),
    async (operator, { organization }, folder = '') => {
      await prepareFolder(folder);
      return exportOrganization(operator, organization, {
        append: (file, text) =>
          sayingWhyOfFile(`"${join(folder, file)}"`, () =>
            appendFile(join(folder, file), text, { mode: 0o600 }),
          ),
      });
    },
    showExport,
  );
}

/** A line for each kind that there is something of. */
function showExport({ organization, counts }: ExportSummary): string {
  const kinds = Object.entries(counts).map(([kind, rows]) => ({ kind, rows }));
  const some = kinds.filter(({ rows }) => rows > 0);
  const none = kinds.length - some.length;
  return `Exported ${organization}, two files for each kind; ${none} of ${kinds.length} kinds are empty.\n\n${table(some)}`;
}

/**
 * Makes the folder, for nobody else to look into, where it is not there. Raises OperatorError for one that holds
 * something.
 */
async function prepareFolder(folder: string): Promise<void> {
  await makeFolder(folder, 0o700);
  const [present] = await readdir(folder);
  if (present !== undefined) throw new OperatorError(`The folder "${folder}" is not empty`);
}
