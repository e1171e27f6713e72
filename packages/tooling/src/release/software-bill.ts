import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachedInstall } from '../cached-install.ts';

interface Bill {
  readonly bomFormat: string;
  readonly components: readonly { readonly purl?: string }[];
}

/**
 * Writes the software bill of materials (CycloneDX) of what npm has installed in a folder.
 *
 * @param which Arguments that say which part of it, as `npm ls` takes them.
 * @returns How many packages are in it.
 */
export async function writeSoftwareBill(
  application: string,
  which: readonly string[],
  file: string,
): Promise<number> {
  const tool = await cachedInstall('cyclonedx-npm-6.0.1');
  const program = join(tool, 'node_modules', '@cyclonedx', 'cyclonedx-npm', 'bin', 'cyclonedx-npm-cli.js');
  const output = ['--validate', '--output-reproducible', '--output-format', 'JSON', '--output-file', file];
  execFileSync(process.execPath, [program, ...which, ...output, 'package.json'], {
    cwd: application,
    stdio: ['ignore', 2, 2],
  });
  const bill: Bill = JSON.parse(readFileSync(file, 'utf8'));
  const named = bill.components.filter(({ purl }) => purl?.startsWith('pkg:npm/')).length;
  // A bill of an empty folder is a valid one.
  if (bill.bomFormat !== 'CycloneDX' || named < 50) throw new Error(`${file} names only ${named} packages`);
  return named;
}
