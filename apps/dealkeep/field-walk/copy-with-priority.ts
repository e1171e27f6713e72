// A copy of the repository with a field `priority` of leads: what the next version may be.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const repository = join(import.meta.dirname, '..', '..', '..');
/** What is made or fetched, and the history. */
const notCopied = new Set(['.git', 'node_modules', 'build']);

/** Makes the copy in a folder that the caller removes. What is generated from the contract is not made anew. */
export async function copyWithPriority(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'dealkeep-field-walk-'));
  for (const name of await readdir(repository)) {
    if (notCopied.has(name)) continue;
    await cp(join(repository, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.endsWith('/node_modules'),
    });
  }
  await linkPackages(copy);
  await addPriority(copy);
  return copy;
}

/** The packages of others as they are installed, ours as they are in the copy. */
async function linkPackages(copy: string): Promise<void> {
  const packages = await Promise.all(
    ['apps', 'packages'].map(async (folder) =>
      (await readdir(join(copy, folder))).map((name) => join(folder, name)),
    ),
  );
  for (const folder of ['.', ...packages.flat()]) {
    const installed = join(repository, folder, 'node_modules');
    if (!existsSync(installed)) continue;
    const linked = join(copy, folder, 'node_modules');
    await mkdir(linked, { recursive: true });
    for (const name of await readdir(installed)) {
      if (!name.startsWith('.') && !isOurs(name)) await symlink(join(installed, name), join(linked, name));
    }
  }
  for (const folder of packages.flat()) {
    const manifest = await readFile(join(copy, folder, 'package.json'), 'utf8');
    const link = join(copy, 'node_modules', JSON.parse(manifest).name);
    await mkdir(join(link, '..'), { recursive: true });
    await symlink(join(copy, folder), link);
  }
}

function isOurs(name: string): boolean {
  return name === '@dealkeep' || name === 'dealkeep' || name === 'n8n-nodes-dealkeep';
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

async function edit(
  copy: string,
  path: string,
  changes: readonly (readonly [before: string, after: string])[],
): Promise<void> {
  let source = await readFile(join(copy, path), 'utf8');
  for (const [before, after] of changes) {
    if (source.split(before).length !== 2) throw new Error(`${path} has this not once: ${before}`);
    source = source.replace(before, () => after);
  }
  await writeFile(join(copy, path), source);
}
