import { checkValue, everyOperation, type FieldProblem, type OperationDeclaration } from '@dealkeep/contract';
import * as z from 'zod';
import type { EventRecord } from '../../change/events/outbox.ts';
import type { Services } from '../../change/services.ts';
import { change } from '../../change/verb/change.ts';
import { type Changing, readingFor } from '../../change/verb/verb.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { invalidFields, Problem } from '../../foundations/problem.ts';
import { problemsOfBody } from '../execute.ts';
import { runVerb } from '../verbs.ts';
import type { ImportPlace } from './import-jobs.ts';
import type { Importer } from './importer.ts';
import { finishImport, type Import } from './imports.ts';
import type { FileRow } from './read-file.ts';
import { type ReadRow, readRows } from './read-rows.ts';
import { type ImportKind, importKinds, isImportKind } from './targets.ts';

/** Rows that are written in one transaction, each with its own events. */
const rowsImportedAtOnce = 50;

/**
 * Imports the next rows. Of rows that are written together either all are or none, with what became of them, so that
 * a process that dies leaves none half done and none is imported twice. Where one is refused, each is tried by
 * itself. Answers whether any are left.
 */
export async function importRows(
  core: Services,
  place: ImportPlace,
  found: Import,
  importer: Importer,
): Promise<boolean> {
  try {
    const count = await importTogether(core, place, found, importer, rowsImportedAtOnce);
    if (count > 0) return true;
    await inTransaction(core.sql, (tx) => finishImport(tx, place, core.clock.now()));
    return false;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    for (let left = rowsImportedAtOnce; left > 0; left -= 1) {
      if (!(await importOne(core, place, found, importer))) break;
    }
    return true;
  }
}

/** The next row by itself; what it is refused for is noted. Answers whether there was one. */
async function importOne(
  core: Services,
  place: ImportPlace,
  found: Import,
  importer: Importer,
): Promise<boolean> {
  let tried: ReadRow | undefined;
  try {
    const count = await importTogether(core, place, found, importer, 1, ([row]) => {
      tried = row;
    });
    return count > 0;
  } catch (error) {
    if (!(error instanceof Problem) || !tried) throw error;
    const wrong = await allThatIsWrong(core, found, importer, tried, error);
    await noteRefused(core, place, tried.row.number, wrong);
    return true;
  }
}

async function allThatIsWrong(
  core: Services,
  found: Import,
  { actor }: Importer,
  { body, problems }: ReadRow,
  error: Problem,
): Promise<readonly FieldProblem[]> {
  const more =
    found.match_by === null
      ? await problemsOfBody(readingFor(core, actor), importKinds[found.kind].create, { path: {}, body })
      : [];
  const told =
    error.ofFields.length > 0 ? error.ofFields : [{ path: '', key: error.key, values: error.values }];
  const all = [...problems, ...told, ...more];
  return [...new Map(all.toReversed().map((each) => [each.path, each])).values()].toReversed();
}

const noteRefused = (
  { sql }: Services,
  { organization, id }: ImportPlace,
  number: number,
  problems: readonly FieldProblem[],
): PromiseLike<unknown> => sql`
  update import_rows set state = 'refused', problems = ${JSON.stringify(problems)}::text::jsonb
  where organization_id = ${organization} and import_id = ${id} and number = ${number} and state = 'ready'`;

/** What became of a row. */
interface Outcome {
  readonly number: number;
  readonly state: 'created' | 'updated' | 'unchanged';
  readonly id: string;
}

/** What its rows have made and changed so far. */
interface Traces {
  readonly made: { readonly kind: ImportKind; readonly id: string; readonly number: number }[];
  readonly changed: Set<string>;
}

/** So many rows in one transaction; answers how many there were. Raises what the first that is refused raises. */
function importTogether(
  core: Services,
  { organization, id }: ImportPlace,
  found: Import,
  { actor }: Importer,
  most: number,
  told: (rows: readonly ReadRow[]) => void = () => {},
): Promise<number> {
  const now = core.clock.now().toISOString();
  const asked = { organization: actor.organization, now, auditEntry: found.audit_entry_id };
  return change(core, asked, async (changing) => {
    const { sql } = changing;
    // Another worker that has the same rows waits here, and finds them done then.
    const rows = await sql<FileRow[]>`
      select number, line, cells from import_rows
      where organization_id = ${organization} and import_id = ${id} and state = 'ready'
        and exists (select 1 from imports i where i.organization_id = ${organization} and i.id = ${id} and i.status = 'running')
      order by number limit ${most} for update`;
    if (rows.length === 0) return 0;
    const referenceData = await changing.referenceData();
    const read = await readRows({ sql, organization, referenceData, actor }, found, rows);
    told(read);
    const traces: Traces = { made: [], changed: new Set() };
    const outcomes: Outcome[] = [];
    for (const row of read) {
      outcomes.push(await importRow(tracing(changing, traces, row.row.number), actor, found, row));
    }
    await noteOutcomes(changing, { organization, id }, outcomes);
    await noteTraces(changing, { organization, id }, traces);
    return rows.length;
  });
}

const Written = z.union([
  z.object({ id: z.string(), upserted: z.enum(['created', 'updated', 'unchanged']).default('created') }),
  z.object({ uuid: z.string() }).transform(({ uuid }) => ({ id: uuid, upserted: 'created' as const })),
]);

async function importRow(
  changing: Changing,
  actor: Importer['actor'],
  { kind, match_by }: Import,
  { row, body, problems }: ReadRow,
): Promise<Outcome> {
  const { create, upsert } = importKinds[kind];
  const operation = match_by !== null && upsert ? upsert : create;
  const { body: schema }: OperationDeclaration = everyOperation[operation];
  const sent = operation === create ? body : { ...body, match_by };
  if (!schema) throw new Error(`${operation} takes no body`);
  const checked = checkValue(schema, sent);
  if (checked.problems || problems.length > 0)
    throw invalidFields([...problems, ...(checked.problems ?? [])]);
  const result = await runVerb(
    operation,
    { ...changing, actor },
    { path: {}, query: {}, body: checked.data },
  );
  const { id, upserted } = Written.parse(result);
  return { number: row.number, state: upserted, id };
}

/** The same change, which notes what a row makes and changes. */
function tracing(changing: Changing, { made, changed }: Traces, number: number): Changing {
  const idOf = (record: EventRecord): string => ('id' in record ? record.id : record.uuid);
  return {
    ...changing,
    emit(type, record, before) {
      const [kind = '', what] = type.split('.');
      if (what === 'created' && isImportKind(kind)) made.push({ kind, id: idOf(record), number });
      else changed.add(idOf(record));
      changing.emit(type, record, before);
    },
    emitUpdated(type, before, after) {
      changed.add(idOf(after));
      return changing.emitUpdated(type, before, after);
    },
  };
}

const noteOutcomes = (
  { sql }: Changing,
  { organization, id }: ImportPlace,
  outcomes: readonly Outcome[],
): PromiseLike<unknown> => sql`
  update import_rows r set state = each.state, record_id = each.record_id
  from unnest(${outcomes.map(({ number }) => number)}::integer[], ${outcomes.map(({ state }) => state)}::text[],
              ${outcomes.map((each) => each.id)}::uuid[]) as each (number, state, record_id)
  where r.organization_id = ${organization} and r.import_id = ${id} and r.number = each.number`;

/** Notes what was made as it is now, and what the import itself has changed of that since. */
async function noteTraces(
  { sql }: Changing,
  { organization, id }: ImportPlace,
  { made, changed }: Traces,
): Promise<void> {
  for (const [kind, records] of Map.groupBy(made, (each) => each.kind)) {
    await sql`
      insert into import_records (organization_id, import_id, kind, record_id, number, fingerprint)
      select ${organization}, ${id}, ${kind}, t.id, made.number, ${fingerprintOf(sql)}
      from unnest(${records.map((each) => each.id)}::uuid[], ${records.map(({ number }) => number)}::integer[])
           as made (id, number)
      join ${sql(importKinds[kind].table)} t on t.organization_id = ${organization} and t.id = made.id`;
  }
  const fresh = new Set(made.map((each) => each.id));
  const others = [...changed].filter((each) => !fresh.has(each));
  if (others.length === 0) return;
  for (const [kind, { table }] of Object.entries(importKinds)) {
    await sql`
      with now_is as materialized (
        select t.id, ${fingerprintOf(sql)} as fingerprint from ${sql(table)} t
        where t.organization_id = ${organization} and t.id = any(${others}::uuid[]))
      update import_records r set fingerprint = now_is.fingerprint from now_is
      where r.organization_id = ${organization} and r.import_id = ${id} and r.kind = ${kind}
        and r.record_id = now_is.id`;
  }
}

/**
 * Of the row `t`: what it holds besides when it changed, since a change that was taken back is none. To be read, and
 * not within what writes: on several servers such a function is asked nothing of a row there.
 */
export const fingerprintOf = (sql: Changing['sql']) => sql`md5((to_jsonb(t) - 'updated_at')::text)`;
