import { createHash } from 'node:crypto';
import { limits } from '@dealkeep/contract';
import { firstEntryId } from '../../change/audit/audit-log.ts';
import { decodeCursor, encodeCursor } from '../../change/paging/cursor.ts';
import { type InputOf, type Reading, type ResultOf, reads } from '../../change/verb/verb.ts';
import type { Fragment } from '../../foundations/database/connect.ts';

type Query = InputOf<'audit-entries.list'>['query'];

/**
 * The audit log of an organization, newest first, page by page (rule audit 7). Raises INVALID_CURSOR.
 */
export const listAuditEntries = reads(
  'audit-entries.list',
  async (context, { query }): Promise<ResultOf<'audit-entries.list'>> => {
    const { core } = context;
    const { limit = limits.pageSizeDefault, cursor, ...asked } = query;
    const fingerprint = fingerprintOf(context.organization, asked);
    const after = cursor === undefined ? undefined : decodeCursor(core.secrets, fingerprint, cursor).id;
    const found = await entriesOf(context, asked, after, limit + 1);
    const data = found.slice(0, limit);
    // What is rare is looked for in a part of the log at a time, so that a page comes at once whatever is asked.
    const end = found.length > limit ? data.at(-1)?.id : await endOfPart(context, asked, after);
    const next_cursor = end ? encodeCursor(core.secrets, fingerprint, { value: null, id: end }) : null;
    return { data, next_cursor, has_more: next_cursor !== null };
  },
);

const fingerprintOf = (organization: string, asked: Query): string =>
  createHash('sha256')
    .update(JSON.stringify(['audit-entries.list', organization, asked]))
    .digest('base64url');

/** Entries that one page looks at. */
const lookedAt = 20_000;

/** The entries that a page looks at, by what indexes find. An entry's id is of its moment, so ids are compared. */
function partOf(
  { sql, organization }: Pick<Reading, 'sql' | 'organization'>,
  { actor_id, record_id, since, until }: Query,
  after: string | undefined,
): Fragment {
  const conditions = [
    sql`organization_id = ${organization}`,
    ...(after === undefined ? [] : [sql`id < ${after}`]),
    ...(since === undefined ? [] : [sql`id >= ${firstEntryId(since)}`]),
    ...(until === undefined ? [] : [sql`id < ${firstEntryId(until)}`]),
    ...(actor_id === undefined ? [] : [sql`actor_id = ${actor_id}`]),
    ...(record_id === undefined ? [] : [sql`record_id = ${record_id}`]),
  ];
  return sql`
    select * from audit_entries where ${conditions.reduce((all, each) => sql`${all} and ${each}`)} order by id desc`;
}

function entriesOf(
  context: Pick<Reading, 'sql' | 'organization'>,
  asked: Query,
  after: string | undefined,
  limit: number,
): Promise<ResultOf<'audit-entries.list'>['data']> {
  const { sql } = context;
  const { actor_kind, via_id, resource, operation } = asked;
  const conditions = [
    sql`true`,
    ...(actor_kind === undefined ? [] : [sql`actor_kind = ${actor_kind}`]),
    ...(via_id === undefined ? [] : [sql`via_id = ${via_id}`]),
    ...(resource === undefined ? [] : [sql`resource = ${resource}`]),
    ...(operation === undefined ? [] : [sql`operation = ${operation}`]),
  ];
  return sql<ResultOf<'audit-entries.list'>['data']>`
    select id, at, operation, resource, record_id, record_name, actor_kind, actor_id, actor_name, via, via_id, via_name,
           address, program, request_id, detail
    from (${partOf(context, asked, after)} limit ${lookedAt}) part
    where ${conditions.reduce((all, each) => sql`${all} and ${each}`)}
    order by id desc limit ${limit}`;
}

/** Where the part ends that a page looked at; undefined where nothing comes behind it. */
async function endOfPart(
  context: Pick<Reading, 'sql' | 'organization'>,
  asked: Query,
  after: string | undefined,
): Promise<string | undefined> {
  const { sql } = context;
  const [last] = await sql<{ id: string }[]>`
    select id from (${partOf(context, asked, after)}) part order by id desc offset ${lookedAt - 1} limit 1`;
  return last?.id;
}
