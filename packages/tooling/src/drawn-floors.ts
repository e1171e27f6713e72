import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A floor of core, as `packages/core/floors.json` names them from the lowest to the highest. */
interface Floor {
  readonly floor: string;
  /** What stands there. */
  readonly holds: string;
}

const begin = '<!-- floors: npm run arrows -- --write -->';
const end = '<!-- /floors -->';

/**
 * The floors with their rooms as a list in Markdown, the highest first.
 *
 * @param core the folder of the package
 */
export async function drawnFloors(core: string): Promise<string> {
  const floors: readonly Floor[] = JSON.parse(await readFile(join(core, 'floors.json'), 'utf8'));
  const lines = await Promise.all(
    floors.toReversed().map(async ({ floor, holds }, index) => {
      const entries = await readdir(join(core, 'src', floor), { withFileTypes: true });
      const rooms = entries
        .filter(({ name }) => name !== 'index.ts')
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name.replace(/\.ts$/, '')))
        .sort();
      return `${index + 1}. **${floor}**: ${holds}.\n   ${rooms.map((room) => `\`${room}\``).join(' ')}`;
    }),
  );
  return lines.join('\n');
}

/** A page with the floors drawn between its two marks. Raises an error where they are missing. */
export function withFloors(page: string, floors: string): string {
  const [before, rest] = page.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`The page has no ${begin} … ${end}`);
  return `${before}${begin}\n\n${floors}\n\n${end}${after}`;
}
