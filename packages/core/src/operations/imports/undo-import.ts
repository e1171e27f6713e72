import type { Services } from '../../change/services.ts';
import { change } from '../../change/verb/change.ts';
import type { OrganizationName } from '../../change/verb/unit-of-work.ts';
import type { Changing } from '../../change/verb/verb.ts';
import { breaksReference } from '../../foundations/database/failures.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import type { ImportPlace } from './import-jobs.ts';
import { setStatus } from './imports.ts';
import { fingerprintOf } from './run-import.ts';
import { type ImportKind, importKinds } from './targets.ts';

const recordsUndoneAtOnce = 100;

/** What refers to others goes before them. */
const order: readonly ImportKind[] = ['lead', 'contact', 'product', 'company'];

/**
 * Removes the next records that an import made, where they are still as it left them and nothing else refers to
 * them; the others are noted as kept. There are no events of a removal. Answers whether any are left.
 */
export async function undoRecords(core: Services, place: ImportPlace): Promise<boolean> {
  const now = core.clock.now().toISOString();
  const [organization] = await core.sql<OrganizationName[]>`
    select id, slug from organizations where id = ${place.organization}`;
  if (!organization) throw new Error(`There is no organization ${place.organization}`);
  return change(core, { organization, now }, async (changing) => {
    const { sql } = changing;
    const [found] = await sql<{ status: string }[]>`
      select status from imports where organization_id = ${place.organization} and id = ${place.id} for update`;
    if (found?.status !== 'undoing') return false;
    for (const kind of order) {
      const ids = await leftOf(changing, place, kind);
      if (ids.length === 0) continue;
      await removeRecords(changing, place, kind, ids);
      return true;
    }
    await noteRows(changing, place);
    await setStatus(sql, place, 'undone');
    return false;
  });
}

async function leftOf(
  { sql }: Changing,
  { organization, id }: ImportPlace,
  kind: ImportKind,
): Promise<string[]> {
  const rows = await sql<{ record_id: string }[]>`
    select record_id from import_records
    where organization_id = ${organization} and import_id = ${id} and kind = ${kind} and not kept
    order by record_id limit ${recordsUndoneAtOnce}`;
  return rows.map(({ record_id }) => record_id);
}

async function removeRecords(
  changing: Changing,
  { organization, id }: ImportPlace,
  kind: ImportKind,
  ids: readonly string[],
): Promise<void> {
  const { sql } = changing;
  const place = { organization, id };
  try {
    await inTransaction(sql, (tx) => removeUnchanged({ ...changing, sql: tx }, place, kind, ids));
  } catch (error) {
    if (!breaksReference(error)) throw error;
    for (const each of ids) await removeOne(changing, place, kind, each);
  }
  // What is not there any more needs no undoing.
  await sql`
    delete from import_records r
    where r.organization_id = ${organization} and r.import_id = ${id} and r.kind = ${kind}
      and r.record_id = any(${ids}::uuid[]) and not exists (
        select 1 from ${sql(importKinds[kind].table)} t
        where t.organization_id = ${organization} and t.id = r.record_id)`;
  await sql`
    update import_records set kept = true
    where organization_id = ${organization} and import_id = ${id} and kind = ${kind}
      and record_id = any(${ids}::uuid[])`;
}

/** One that another record refers to stays. */
async function removeOne(
  changing: Changing,
  place: ImportPlace,
  kind: ImportKind,
  id: string,
): Promise<void> {
  try {
    await inTransaction(changing.sql, (tx) => removeUnchanged({ ...changing, sql: tx }, place, kind, [id]));
  } catch (error) {
    if (!breaksReference(error)) throw error;
  }
}

async function removeUnchanged(
  { sql }: Changing,
  { organization, id }: ImportPlace,
  kind: ImportKind,
  ids: readonly string[],
): Promise<void> {
  const table = sql(importKinds[kind].table);
  // In no order: PostgreSQL would join all records of the organization in that order, for each batch.
  const unchanged = await sql<{ id: string }[]>`
    select t.id from ${table} t
    join import_records r on r.organization_id = ${organization} and r.import_id = ${id} and r.kind = ${kind} and r.record_id = t.id
    where t.organization_id = ${organization} and t.id = any(${ids}::uuid[]) and r.fingerprint = ${fingerprintOf(sql)}
    for update of t`;
  await sql`
    delete from ${table} t
    where t.organization_id = ${organization} and t.id = any(${unchanged.map((each) => each.id)}::uuid[])`;
}

const noteRows = ({ sql }: Changing, { organization, id }: ImportPlace): PromiseLike<unknown> => sql`
  update import_rows r
  set state = case when exists (
    select 1 from import_records m
    where m.organization_id = ${organization} and m.import_id = ${id} and m.number = r.number) then 'kept' else 'removed' end
  where r.organization_id = ${organization} and r.import_id = ${id}
    and r.state = 'created'`;
