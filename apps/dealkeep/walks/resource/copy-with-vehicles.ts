// A copy of the repository with a kind of record `vehicle`, as somebody who reads CONTRIBUTING.md adds it.
import { appendFile, cp } from 'node:fs/promises';
import { join } from 'node:path';
import { copyRepository, edit } from '../copy-repository.ts';

const added = join(import.meta.dirname, 'added');

interface Place {
  /** A file that is new. */
  readonly file: string;
  /** The registry that knows it by one line. */
  readonly registered?: { readonly in: string; readonly line: string };
}

const files: readonly Place[] = [
  {
    file: 'packages/contract/src/resources/vehicles.ts',
    registered: {
      in: 'packages/contract/src/record-resources.ts',
      line: "export { vehicle } from './resources/vehicles.ts';",
    },
  },
  {
    file: 'packages/core/src/records/vehicles/kind.ts',
    registered: {
      in: 'packages/core/src/records/kinds.ts',
      line: "export { vehicle } from './vehicles/kind.ts';",
    },
  },
  { file: 'packages/core/migrations/9998-vehicles.sql' },
  {
    file: 'apps/console/src/records/kinds/vehicle.ts',
    registered: {
      in: 'apps/console/src/records/presentations.ts',
      line: "export { vehicle } from './kinds/vehicle.ts';",
    },
  },
  { file: 'apps/dealkeep/test/vehicles.test.ts' },
];

/** The rule of the lists says what each can be filtered by. */
const told = 'docs/rules/lists.md';
const row = '| vehicles           | name, plate | status, company_id, owner_id | |\n';

/** The contract, core, the migration, the console, texts and a test. */
export const mostPlaces = 6;

/**
 * Makes the copy in a folder that the caller removes. What is generated from the contract is not made anew. Answers
 * the places that were touched, each with the files of it.
 */
export async function copyWithVehicles(): Promise<{ copy: string; places: readonly (readonly string[])[] }> {
  const copy = await copyRepository();
  for (const { file, registered } of files) {
    await cp(join(added, file), join(copy, file));
    if (registered) await appendFile(join(copy, registered.in), `${registered.line}\n`);
  }
  await edit(copy, told, [['| users  ', `${row}| users  `]]);
  const places = files.map(({ file, registered }) => (registered ? [file, registered.in] : [file]));
  return { copy, places: [...places, [told]] };
}
