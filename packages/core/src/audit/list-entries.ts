import { createHash } from 'node:crypto';
import { limits } from '@dealkeep/contract';
import { decodeCursor, encodeCursor } from '../paging/cursor.ts';
import { type InputOf, type Reading, type ResultOf, reads } from '../verb/verb.ts';
import { firstEntryId } from './audit-book.ts';

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
    const last = data.at(-1);
    const has_more = found.length > limit && last !== undefined;
    const next_cursor = has_more
      ? encodeCursor(core.secrets, fingerprint, { value: null, id: last.id })
      : null;
    return { data, next_cursor, has_more };
  },
);

const fingerprintOf = (organization: string, asked: Query): string =>
  createHash('sha256')
    .update(JSON.stringify(['audit-entries.list', organization, asked]))
    .digest('base64url');

/** An entry's id is of its moment, so moments are compared by ids, which are the key. */
function entriesOf(
  { sql, organization }: Pick<Reading, 'sql' | 'organization'>,
  { actor_id, actor_kind, via_id, resource, operation, record_id, since, until }: Query,
  after: string | undefined,
  limit: number,
): Promise<ResultOf<'audit-entries.list'>['data']> {
  const conditions = [
    sql`organization_id = ${organization}`,
    ...(after === undefined ? [] : [sql`id < ${after}`]),
    ...(since === undefined ? [] : [sql`id >= ${firstEntryId(since)}`]),
    ...(until === undefined ? [] : [sql`id < ${firstEntryId(until)}`]),
    ...(actor_id === undefined ? [] : [sql`actor_id = ${actor_id}`]),
    ...(actor_kind === undefined ? [] : [sql`actor_kind = ${actor_kind}`]),
    ...(via_id === undefined ? [] : [sql`via_id = ${via_id}`]),
    ...(resource === undefined ? [] : [sql`resource = ${resource}`]),
    ...(operation === undefined ? [] : [sql`operation = ${operation}`]),
    ...(record_id === undefined ? [] : [sql`record_id = ${record_id}`]),
  ];
  return sql<ResultOf<'audit-entries.list'>['data']>`
    select id, at, operation, resource, record_id, record_name, actor_kind, actor_id, actor_name, via, via_id, via_name,
           address, program, request_id, detail
    from audit_entries where ${conditions.reduce((all, each) => sql`${all} and ${each}`)}
    order by id desc limit ${limit}`;
}
