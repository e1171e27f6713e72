// A copy of the repository with a field `priority` of leads: what the next version may be.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyRepository, edit } from '../copy-repository.ts';

/** Makes the copy in a folder that the caller removes. What is generated from the contract is not made anew. */
export async function copyWithPriority(): Promise<string> {
  const copy = await copyRepository();
  await addPriority(copy);
  return copy;
}

/** The walk: the contract, one migration, one line of the record, and what an erasure makes of it. */
async function addPriority(copy: string): Promise<void> {
  await edit(copy, 'packages/contract/src/resources/leads.ts', [
    [
      'const note = field.string({',
      `const priority = field.string({
  label: text('Priority', 'Priorita'),
  example: 'Before the others',
  max: 50,
});
const note = field.string({`,
    ],
    ['    note: note.nullable(),\n', '    note: note.nullable(),\n    priority: priority.nullable(),\n'],
    [
      '  lost_note: lostNoteOfLost.nullish(),\n};',
      '  lost_note: lostNoteOfLost.nullish(),\n  priority: priority.nullish(),\n};',
    ],
  ]);
  await writeFile(
    join(copy, 'packages/core/migrations/9999-priority-of-leads.sql'),
    '-- Tenant table.\nalter table leads add column priority text;\n',
  );
  await edit(copy, 'packages/core/src/records/leads/record.ts', [
    ['    note: text.orNull,\n', '    note: text.orNull,\n    priority: text.orNull,\n'],
  ]);
  await edit(copy, 'packages/core/src/records/leads/kind.ts', [
    [
      '      lost_note: column.nothing,\n',
      '      lost_note: column.nothing,\n      priority: column.nothing,\n',
    ],
    [
      '      lost_note: field.nothing,\n',
      '      lost_note: field.nothing,\n      priority: field.nothing,\n',
    ],
  ]);
}
