import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedInstall } from '@dealkeep/tooling';
import type { Part } from './syntax-tree.ts';

interface Library {
  loadModule(): Promise<void>;
  parseSync(statement: string): Part;
}

/** PostgreSQL's own parser, installed on the first use; it reads statements as PostgreSQL notes them, too. */
export async function readParser(): Promise<(statement: string) => Part> {
  const folder = await cachedInstall('libpg-query-18.1.5');
  const library: Library = createRequire(join(folder, 'package.json'))('libpg-query');
  await library.loadModule();
  return (statement) => library.parseSync(statement);
}
