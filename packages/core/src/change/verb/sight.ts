import {
  isRecordReference,
  type OperationDeclaration,
  operations,
  type RecordReference,
  references,
  resources,
} from '@dealkeep/contract';
import type { Fragment } from '../../foundations/database/connect.ts';
import { Problem } from '../../foundations/problem.ts';
import { type Actor, type Credential, isCredential } from '../../identity/credentials/credential.ts';
import { assignmentFilter, permissionsFor, reachOf } from '../../identity/credentials/reach.ts';
import { places } from './record-places.ts';
import type { ReadContext } from './verb.ts';

/** Where is looked, and for whom. */
export type Looking = Pick<ReadContext, 'sql' | 'organization'> & { readonly actor: Actor };

/** Which records of a kind somebody sees: all, their own, or none. */
export type Sight = 'all' | 'own' | 'none';

/** Records without an owner or assignee of their own. They are a person's own when this other record is. */
const belongsTo: Partial<
  Record<RecordReference, { readonly kind: RecordReference; readonly column: string }>
> = { contact: { kind: 'company', column: 'company_id' } };

/**
 * Whether a role limits what the actor sees (rule scopes 13): a person in the console or behind a connection, who is
 * no owner.
 */
export const isLimited = (actor: Actor): actor is Credential =>
  isCredential(actor) && actor.kind !== 'api_key' && actor.user.permissions !== 'owner';

/** Which records of a kind the actor sees where another record refers to them. */
export function sightOf(actor: Actor, kind: RecordReference): Sight {
  if (!isLimited(actor)) return 'all';
  const list: OperationDeclaration = operations[references[kind].list];
  return sightBy(actor, kind, permissionsFor(list));
}

/**
 * Which records of a kind the actor can name in what it sends: those that it sees. A connection whose role may
 * change all of a kind without reading it names all, too; it is answered no more than it sent (rule keys 16).
 */
function namingSightOf(actor: Actor, kind: RecordReference): Sight {
  const sight = sightOf(actor, kind);
  if (sight === 'all' || !isCredential(actor) || actor.kind !== 'oauth') return sight;
  const update = Object.values<OperationDeclaration>(operations).find(
    (each) => each.resource === kind && each.kind === 'update',
  );
  return update && sightBy(actor, kind, permissionsFor(update)) === 'all' ? 'all' : sight;
}

function sightBy(actor: Credential, kind: RecordReference, needed: Parameters<typeof reachOf>[1]): Sight {
  try {
    if (reachOf(actor, needed) === 'all') return 'all';
    return assignmentFilter(belongsTo[kind]?.kind ?? kind) ? 'own' : 'none';
  } catch (error) {
    if (error instanceof Problem) return 'none';
    throw error;
  }
}

/** That the row `alias` of a kind is one that the actor sees. */
export const isSeen = (looking: Looking, kind: RecordReference, alias: string): Fragment =>
  within(looking, kind, alias, sightOf(looking.actor, kind));

/** That the row `alias` of a kind is one that the actor can name, by its id or by what it is found by. */
export const canBeNamed = (looking: Looking, kind: RecordReference, alias: string): Fragment =>
  within(looking, kind, alias, namingSightOf(looking.actor, kind));

function within(looking: Looking, kind: RecordReference, alias: string, sight: Sight): Fragment {
  const { sql, actor } = looking;
  if (sight === 'all' || !isCredential(actor)) return sql`true`;
  return sight === 'none' ? sql`false` : isOwnedBy(looking, kind, alias, actor.user.id);
}

/** That the row `alias` of a kind is assigned to a user: as its owner, or as one who is to do it. */
export function isOwnedBy(
  looking: Pick<Looking, 'sql' | 'organization'>,
  kind: RecordReference,
  alias: string,
  user: string,
): Fragment {
  const { sql, organization } = looking;
  const column = (name: string): Fragment => sql.unsafe(`${alias}.${name}`);
  const other = belongsTo[kind];
  if (other) {
    return sql`exists (
      select from ${sql(tableOf(other.kind))} owning
      where owning.organization_id = ${organization} and owning.id = ${column(other.column)}
        and ${isOwnedBy(looking, other.kind, 'owning', user)})`;
  }
  const { shape } = resources[kind].schema;
  const conditions = [
    ...('owner' in shape ? [sql`${column('owner_id')} = ${user}`] : []),
    ...('assignee' in shape ? [sql`${column('assignee_id')} = ${user}`] : []),
    ...('assignees' in shape ? [sql`${column('assignee_ids')} @> array[${user}::uuid]`] : []),
  ];
  return conditions.length === 0
    ? sql`false`
    : sql`(${conditions.reduce((all, each) => sql`${all} or ${each}`)})`;
}

/** Which of these ids are of records that the actor sees. */
export const seenAmong = (looking: Looking, kind: RecordReference, ids: readonly string[]) =>
  amongWhich(looking, kind, ids, isSeen(looking, kind, 'r'));

/** Which of these ids are of records that the actor can name. */
export const nameableAmong = (looking: Looking, kind: RecordReference, ids: readonly string[]) =>
  amongWhich(looking, kind, ids, canBeNamed(looking, kind, 'r'));

/** Whether a record is assigned to a user; false where there is none. */
export async function isAssignedTo(
  looking: Pick<Looking, 'sql' | 'organization'>,
  kind: RecordReference,
  id: string,
  user: string,
): Promise<boolean> {
  return (await amongWhich(looking, kind, [id], isOwnedBy(looking, kind, 'r', user))).has(id);
}

async function amongWhich(
  { sql, organization }: Pick<Looking, 'sql' | 'organization'>,
  kind: RecordReference,
  ids: readonly string[],
  condition: Fragment,
): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select r.id from ${sql(tableOf(kind))} r
    where r.organization_id = ${organization} and r.id = any(${[...new Set(ids)]}::uuid[]) and ${condition}`;
  return new Set(rows.map(({ id }) => id));
}

function tableOf(kind: RecordReference): string {
  const place = places[kind];
  if (!('table' in place)) throw new Error(`The records of ${kind} have no table`);
  return place.table;
}

/** Whether all that a kind's references name is seen, or only some of it. */
export const isWhollySeen = (actor: Actor, kind: RecordReference): boolean => sightOf(actor, kind) === 'all';

/** The same of naming. */
export const isWhollyNameable = (actor: Actor, name: string): boolean =>
  !isRecordReference(name) || namingSightOf(actor, name) === 'all';
