import {
  isSearchedKind,
  type RecordReference,
  type SearchedKind,
  searchedKindNames,
  searchedKinds,
} from '@dealkeep/contract';
import { withoutMarks } from '../../change/paging/search.ts';
import { isLimited, isSeen } from '../../change/verb/sight.ts';
import { type Reading, type ResultOf, reads } from '../../change/verb/verb.ts';
import { invalidParameter, Problem } from '../../foundations/problem.ts';
import { keptFromLegacyKeys, scopeRefusal } from '../../identity/credentials/authorize.ts';
import type { Credential } from '../../identity/credentials/credential.ts';
import { permissionsFor, requireReach } from '../../identity/credentials/reach.ts';
import { type Readable, searchedRecords, searchStatement } from './statement.ts';

/**
 * The best records of all kinds that may be read, found by one statement (rules search 1 to 6). Raises
 * INVALID_PARAMETER for a type that there is not, and what forbids reading one that is named, or all.
 */
export const searchAll = reads('search.all', async (context, { query }) => {
  const readable = readableKinds(context.actor, query.types === undefined ? undefined : kindsOf(query.types));
  const term = query.q.replaceAll(unseenEnds, '');
  // What is longer is the text of no record that is searched.
  const isFindable = withoutMarks(term).trim() !== '' && [...term].length <= longestTerm;
  return isFindable ? find(context, term, readable) : [];
});

/** Spaces, and signs that nobody sees, such as come along when a text is copied. */
const unseenEnds = /^[\p{Cf}\s]+|[\p{Cf}\s]+$/gu;

/** The longest text that is searched has 255 characters; some are typed as several. */
const longestTerm = 1000;

/** The kinds that a list of `types` names. Raises INVALID_PARAMETER for one that there is not. */
function kindsOf(types: string): SearchedKind[] {
  const names = [...new Set(types.split(','))];
  if (names.every(isSearchedKind)) return names;
  const choices = searchedKindNames.join(', ');
  throw invalidParameter({ path: 'types', key: 'field.invalid_choice', values: { choices } });
}

/** Those asked for, or all that the credential may read. Raises what forbids one that was asked for, or all. */
function readableKinds(credential: Credential, asked: readonly SearchedKind[] | undefined): Readable[] {
  const judged = (asked ?? searchedKindNames).map((kind) => judgeReading(credential, kind));
  const readable = judged.filter((each): each is Readable => !(each instanceof Problem));
  const [refusal] = judged.filter((each) => each instanceof Problem);
  if (refusal && (asked || readable.length === 0)) throw refusal;
  return readable;
}

/** How a kind may be read, or why not: as its list. */
export function judgeReading(credential: Credential, kind: SearchedKind): Readable | Problem {
  const scope = searchedKinds[kind];
  if (credential.kind !== 'session') {
    if (credential.legacy && keptFromLegacyKeys.has(kind)) return new Problem('credential.legacy');
    return scopeRefusal(credential, scope) ?? { kind };
  }
  try {
    const reach = requireReach(credential, kind, permissionsFor({ scope }));
    return reach === 'assigned' ? { kind, user: credential.user.id } : { kind };
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

type Result = ResultOf<'search.all'>[number];

/** Digits and what stands between those of a phone number. */
const phone = /^[(+\d][\d\s()./-]*$/;
const fewestDigits = 5;

async function find(context: Reading, term: string, readable: readonly Readable[]): Promise<Result[]> {
  const { core, sql, organization, actor } = context;
  const seen = isLimited(actor)
    ? (of: RecordReference, alias: string) => isSeen(context, of, alias)
    : undefined;
  const isPhone = phone.test(term) && term.replaceAll(/\D/g, '').length >= fewestDigits;
  const rows = await sql<
    Omit<Result, 'app_url'>[]
  >`${searchStatement(sql, { organization, placement: core.placement, term, isPhone }, readable, seen)}`;
  return rows.map((row) => ({ ...row, app_url: `${core.origin}/${pathOf(row.type)}/${row.id}` }));
}

/** The pages of a kind have the name of its table. */
const pathOf = (type: string): string => (isSearchedKind(type) ? searchedRecords[type].table : type);
