import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { commandLineFolder } from '../../bin/zapier-tooling.ts';
import { repository } from './read-recipes.ts';

const pages = ['README.md', 'docs/publishing-zapier.md', 'docs/zapier.md'];
const invocation = /zapier-platform (?<rest>.+)/;

/** One call of Zapier's command line, as a page tells it. */
export interface PublishingCommand {
  readonly page: string;
  /** `env:set` */
  readonly name: string;
  /** Everything after the name, as a shell reads it. */
  readonly rest: string;
}

/** Every `zapier-platform …` in a block of commands, and in the text where it stands with its arguments. */
export async function publishingCommands(): Promise<PublishingCommand[]> {
  const found = await Promise.all(
    pages.map(async (page) => {
      const text = (await readFile(join(repository, page), 'utf8')).replaceAll(/ \\\n\s*/g, ' ');
      const spans = [...text.matchAll(/`(zapier-platform [a-z:]+ [^`]+)`/g)].map(([, span = '']) => span);
      const lines = text.split('\n').map((line) => line.trim());
      return [...lines.filter((line) => /^zapier-platform /.test(line)), ...spans].flatMap((line) => {
        const { rest = '' } = invocation.exec(line)?.groups ?? {};
        const [name = '', ...more] = rest.split(' ');
        return /^[a-z:]+$/.test(name) ? [{ page, name, rest: more.join(' ') }] : [];
      });
    }),
  );
  return found.flat();
}

interface CommandClass {
  readonly flags: Readonly<Record<string, { readonly char?: string; readonly options?: readonly string[] }>>;
  readonly args?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly strict?: boolean;
}

/** A command as the command line itself declares it. Throws when there is none of that name. */
export async function declared(name: string): Promise<CommandClass> {
  const load = createRequire(join(await commandLineFolder(), 'package.json'));
  return load(`zapier-platform-cli/src/oclif/commands/${name.replaceAll(':', '/')}.js`);
}
