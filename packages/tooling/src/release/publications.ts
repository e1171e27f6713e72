import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './product.ts';

/** A row of the table "What is published" of docs/releases.md. */
export interface Publication {
  readonly where: string;
  /** A package, an image, or what a page is called. */
  readonly name: string;
  readonly state: 'yes' | 'not yet' | 'never';
}

/** The version by which an owner takes a name on npm before its first release (docs/publishing-n8n.md). */
const placeholder = '0.0.1';

const states: readonly string[] = ['yes', 'not yet', 'never'] satisfies Publication['state'][];
const isState = (text: string): text is Publication['state'] => states.includes(text);

/** The rows of the table; an error when there is none, or one whose last cell is no state. */
export function publicationsIn(page: string): Publication[] {
  const [, section = ''] = page.split('## What is published\n');
  const [table = ''] = /^\|[\s\S]*?(?=\n\n)/m.exec(section) ?? [];
  const rows = table.split('\n').slice(2);
  if (rows.length === 0) throw new Error('docs/releases.md has no table under "What is published"');
  return rows.map((row) => {
    const [where = '', name = '', , state = ''] = row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (!isState(state))
      throw new Error(`docs/releases.md, "What is published": "${state}" is not ${states.join(', ')}`);
    return { where, name: name.replaceAll('`', ''), state };
  });
}

export const readPublications = async (folder = repository): Promise<Publication[]> =>
  publicationsIn(await readFile(join(folder, 'docs', 'releases.md'), 'utf8'));

/**
 * Compares what the table says of names on npm with what npm says. Rejects when npm cannot be asked.
 *
 * @returns A sentence for each name that differs.
 */
export async function differencesOnNpm(
  publications: readonly Publication[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<string[]> {
  const onNpm = publications.filter(({ where }) => where === 'npm');
  const found = await Promise.all(onNpm.map(({ name }) => versionOnNpm(name, environment)));
  return onNpm.flatMap(({ name, state }, index) => {
    const version = found[index];
    const said = `docs/releases.md says that ${name} is ${state === 'yes' ? 'published' : `published "${state}"`}, but`;
    if (state === 'yes') return version === undefined ? [`${said} npm does not know the name`] : [];
    if (state === 'not yet' && version === placeholder) return [];
    return version === undefined ? [] : [`${said} npm has version ${version}`];
  });
}

/** The newest version of a package; undefined when npm does not know the name. */
function versionOnNpm(name: string, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    execFile('npm', ['view', name, 'version', '--json', '--loglevel=silent'], { env }, (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout));
      else if (/"code": "E404"/.test(stdout)) resolve(undefined);
      else {
        const reason = /"summary": "(.+)"/.exec(stdout)?.[1] ?? error.message;
        reject(new Error(`npm cannot be asked whether ${name} is published: ${reason}`));
      }
    });
  });
}
