import type { FieldProblem } from '@dealkeep/contract';
import type { Services } from '../../change/services.ts';
import { credentialOf } from '../run-as-user.ts';
import type { Import, Importing, RowState } from './imports.ts';
import type { FileRow } from './read-file.ts';
import { type ReadRow, readRows } from './read-rows.ts';

/** A row with what became of it. */
export interface ImportedRow extends FileRow {
  readonly state: RowState;
  readonly problems: readonly FieldProblem[] | null;
  readonly record_id: string | null;
}

/** Rows of an import in their order, from one on; of these states alone, where some are named. */
export const readImportedRows = (
  { slowSql: sql }: Pick<Services, 'slowSql'>,
  { organization }: Importing,
  { id }: Pick<Import, 'id'>,
  { after = 0, limit, states }: { after?: number; limit: number; states?: readonly RowState[] },
): Promise<ImportedRow[]> => sql<ImportedRow[]>`
  select number, line, cells, state, problems, record_id from import_rows
  where organization_id = ${organization.id} and import_id = ${id} and number > ${after}
    and ${states ? sql`state = any(${[...states]}::text[])` : sql`true`}
  order by number limit ${limit}`;

/** How the first rows of an import are read, with everything that their check has found. */
export async function previewRows(
  core: Services,
  importing: Importing,
  found: Import,
  limit: number,
): Promise<readonly ReadRow[]> {
  const { organization } = importing;
  const referenceData = await core.referenceDataCache.current(core.sql, organization.id);
  const rows = await readImportedRows(core, importing, found, { limit });
  const actor = credentialOf(core, importing);
  const place = { sql: core.sql, organization: organization.id, referenceData, actor };
  const read = await readRows(place, found, rows);
  return read.map((each, index) => ({ ...each, problems: rows[index]?.problems ?? each.problems }));
}
