import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { printContract } from './print-contract.ts';
import { printMethods } from './print-methods.ts';
import { SchemaPrinter } from './print-schema.ts';

/**
 * What programs rely on in the client besides the fields of the API, which the contract keeps: its methods with
 * their arguments, and the names that it exports.
 */
export async function clientSurface(): Promise<Record<string, string>> {
  const surface: Record<string, string> = {};
  let namespace = '';
  for (const line of printMethods(new SchemaPrinter()).split('\n')) {
    namespace = /^readonly (\w+): \{$/.exec(line)?.[1] ?? namespace;
    const [, name, type] = /^readonly (\w+): (\(.*\) => .*);$/.exec(line) ?? [];
    if (name !== undefined && type !== undefined) surface[`${namespace}.${name}`] = type;
  }
  const index = await readFile(join(import.meta.dirname, '..', 'src', 'index.ts'), 'utf8');
  for (const [, names = ''] of index.matchAll(/^export (?:type )?\{([^}]+)\}/gm)) {
    for (const name of names.split(',').map((each) => each.replace(/\btype\b/, '').trim())) {
      if (name !== '') surface[`export ${name}`] = 'export';
    }
  }
  for (const [, name] of printContract()['records.ts'].matchAll(/^export (?:interface|type) (\w+)/gm)) {
    surface[`export ${name}`] = 'export';
  }
  return surface;
}
