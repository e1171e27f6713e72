import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiVersion, openapiDocument } from '../../src/index.ts';
import { Surface, surfaceOf } from './surface.ts';

const path = join(import.meta.dirname, '..', '..', 'released', `${apiVersion}.json`);

/** What clients rely on since the last release. */
export const releasedSurface = async (): Promise<Surface> =>
  Surface.parse(JSON.parse(await readFile(path, 'utf8')));

/** What clients would rely on if the contract were released as it is. */
export const currentSurface = (): Surface => surfaceOf(openapiDocument('https://api.dealkeep.example'));

/** A line for each operation, event and schema: changes are read in a review. */
export async function writeReleased(surface: Surface): Promise<void> {
  const parts = Object.entries(surface).map(([name, part]) => {
    if (typeof part !== 'object' || Array.isArray(part)) return `"${name}":${JSON.stringify(part)}`;
    const lines = Object.entries(part).map(
      ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
    );
    return `"${name}":{\n${lines.join(',\n')}\n}`;
  });
  await writeFile(path, `{\n${parts.join(',\n')}\n}\n`);
}
