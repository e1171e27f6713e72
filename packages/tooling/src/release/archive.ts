import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './product.ts';

/** The documents are for who runs it, too; the image has no use of them. */
const readByPeople = new Set(['docs']);

/**
 * The sources that are released: what is committed less what .dockerignore names, so that the image is the same
 * whether it is built from the archive or from the repository. Git writes the same bytes for the same commit.
 */
export function makeArchive(name: string, folder: string): string {
  const excluded = readFileSync(join(repository, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((pattern) => pattern !== '' && !readByPeople.has(pattern))
    .flatMap((pattern) => [`:(exclude,glob)${pattern}`, `:(exclude,glob)${pattern}/**`]);
  const file = join(folder, `${name}.tar.gz`);
  const options = ['--format=tar.gz', `--prefix=${name}/`, `--output=${file}`];
  execFileSync('git', ['archive', ...options, 'HEAD', '--', '.', ...excluded], { cwd: repository });
  return file;
}
