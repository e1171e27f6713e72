// Refuses statements that a database of several servers (Citus) cannot run: of those that the program sent in the
// last run of tests, be it all or some; and migrations that it cannot run. Needs no such database. With --whole, for
// a run of all tests: refuses, too, what is excepted and needs it no more.

import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { cachedInstall } from '@dealkeep/tooling';
import { readStatements } from '../src/statements/captured-statements.ts';
import {
  judgeMigration,
  migrationRules,
  migrationsJudgedFrom,
  seededMigrations,
} from '../src/statements/judge-migration.ts';
import { type Finding, forOneServer, rules, StatementJudge } from '../src/statements/judge-statement.ts';
import { knownRefusals, onOneServer } from '../src/statements/known-refusals.ts';
import { seededStatements } from '../src/statements/seeded-statements.ts';
import { StatementSources } from '../src/statements/statement-sources.ts';
import type { Part } from '../src/statements/syntax-tree.ts';

const { values: options } = parseArgs({ options: { whole: { type: 'boolean', default: false } } });
const parse = await readParser();
const sources = await StatementSources.read(join(import.meta.dirname, '../../..'));
const { places, lost, statements } = await readStatements();
const judge = (statement: string): Finding[] => new StatementJudge(places).judge(statement, parse(statement));

const failures = seededStatements.flatMap(({ statement, found }) => {
  const all = judge(statement);
  return isDeepStrictEqual(all, found)
    ? []
    : [`Expected of the judge ${JSON.stringify(found)}, found ${JSON.stringify(all)}\n${statement}`];
});
for (const { text, found } of seededMigrations) {
  const all = judgeMigration(parse(text), places.tenant);
  if (!isDeepStrictEqual(all, found))
    failures.push(`Expected of the judge ${JSON.stringify(found)}, found ${JSON.stringify(all)}\n${text}`);
}
const migrations = join(import.meta.dirname, '../../core/migrations');
for (const name of (await readdir(migrations)).filter((each) => each >= migrationsJudgedFrom).sort()) {
  const text = await readFile(join(migrations, name), 'utf8');
  const made = [...text.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, table]) => table);
  const there = places.tenant.filter((table) => !made.includes(table));
  for (const found of judgeMigration(parse(text), there))
    failures.push(`packages/core/migrations/${name}\n  ${found}. ${migrationRules[found]}`);
}
if (lost > 0) failures.push(`PostgreSQL could not keep ${lost} statements: raise pg_stat_statements.max`);

interface RefusedPlace {
  readonly findings: Map<string, Finding>;
  /** The shortest of them. */
  example: string;
}

const needed = new Set<string>();
const refused = new Map<string, RefusedPlace>();
for (const statement of statements) {
  const findings = judge(statement);
  const isOfOneServer = statement.includes(forOneServer);
  if (findings.length === 0 && !isOfOneServer) continue;
  const place = sources.placeOf(statement) ?? 'In no template of the source';
  const file = place.replace(/:\d+$/, '');
  if (isOfOneServer) {
    needed.add(file);
    if (!onOneServer.some(({ source }) => source === file))
      failures.push(`${place}\n  Says “${forOneServer}”, and what is sent instead is not told\n${statement}`);
    continue;
  }
  if (/\/test\/|^packages\/testing\//.test(place)) continue;
  const known = knownRefusals.filter(({ source }) => source === file).flatMap(({ why }) => why);
  for (const finding of findings) {
    const [why, what] = finding;
    needed.add(`${file} ${why}`);
    if (known.includes(why)) continue;
    const at = refused.get(place) ?? { findings: new Map(), example: statement };
    refused.set(place, at);
    at.findings.set(`${why} ${what}`, finding);
    if (statement.length < at.example.length) at.example = statement;
  }
}
for (const [place, { findings, example }] of [...refused].toSorted())
  failures.push(
    [
      place,
      ...Array.from(findings.values(), ([why, what]) => `  ${what}: ${why}. ${rules[why]}`),
      example,
    ].join('\n'),
  );
if (options.whole)
  for (const { source } of onOneServer)
    if (!needed.has(source)) failures.push(`${source}: no statement says “${forOneServer}”; take it away`);
if (options.whole)
  for (const { source, why } of knownRefusals)
    for (const each of why)
      if (!needed.has(`${source} ${each}`))
        failures.push(`${source}: no statement needs the exception “${each}” any more; take it away`);

process.stdout.write(failures.map((each) => `${each}\n\n`).join(''));
process.stdout.write(
  `${statements.length} statements judged, ${failures.length} refusals, ${knownRefusals.length} known\n`,
);
process.exitCode = failures.length > 0 ? 1 : 0;

interface Library {
  loadModule(): Promise<void>;
  parseSync(statement: string): Part;
}

/** PostgreSQL's own parser, installed on the first use; it reads statements as PostgreSQL notes them, too. */
async function readParser(): Promise<(statement: string) => Part> {
  const folder = await cachedInstall('libpg-query-18.1.5');
  const library: Library = createRequire(join(folder, 'package.json'))('libpg-query');
  await library.loadModule();
  return (statement) => library.parseSync(statement);
}
