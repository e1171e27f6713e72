// A copy of the repository with a kind of record `vehicle`, as somebody who reads CONTRIBUTING.md adds it.
import { appendFile, cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { copyRepository } from '../copy-repository.ts';

const added = join(import.meta.dirname, 'added');

/** The registries, and the one line by which each knows the new kind. */
const registered: Readonly<Record<string, string>> = {
  'packages/contract/src/record-resources.ts': "export { vehicle } from './resources/vehicles.ts';",
  'packages/core/src/records/kinds.ts': "export { vehicle } from './vehicles/kind.ts';",
  'apps/console/src/records/presentations.ts': "export { vehicle } from './kinds/vehicle.ts';",
};

/** The files that are added, and those that get one line. */
export interface Places {
  readonly files: readonly string[];
  readonly lines: readonly string[];
}

/** Makes the copy in a folder that the caller removes. What is generated from the contract is not made anew. */
export async function copyWithVehicles(): Promise<{ copy: string; places: Places }> {
  const copy = await copyRepository();
  await cp(added, copy, { recursive: true });
  for (const [path, line] of Object.entries(registered)) await appendFile(join(copy, path), `${line}\n`);
  const entries = await readdir(added, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  return { copy, places: { files, lines: Object.keys(registered) } };
}
