import { type OperationDeclaration, recordNames, unreadScopeOf } from '@dealkeep/contract';
import { scopeRefusal } from '../../identity/credentials/authorize.ts';
import { type Actor, isCredential } from '../../identity/credentials/credential.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * What of a write's result its actor is shown: all of it, unless a credential may not read such records (by its
 * scopes, and behind a connection by the user's role). Then it is what it wrote itself (rule keys 16): of a record
 * that it created, all but the records that were found for it; of one that was there before, what names it and the
 * fields that were sent.
 *
 * @param body as it was parsed
 */
export function showTo(
  actor: Actor,
  declaration: OperationDeclaration,
  body: unknown,
  result: unknown,
): unknown {
  const scope = unreadScopeOf(declaration);
  if (!scope || !isCredential(actor) || !scopeRefusal(actor, scope) || !isRecord(result)) return result;
  if (declaration.existingFlag !== undefined && result[declaration.existingFlag] === true) {
    return only(result, [...recordNames, declaration.existingFlag]);
  }
  const sent = isRecord(body) ? body : {};
  return declaration.kind === 'create'
    ? created(result, sent)
    : // What names the record is shown in full, be it sent or not.
      { ...sentOf(result, sent), ...only(result, recordNames) };
}

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const only = (record: Fields, wanted: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(record).filter(([name]) => wanted.includes(name)));

/** Of fields that were sent, what is stored; of objects, the parts that were sent. */
function sentOf(stored: Fields, sent: Fields): Fields {
  return Object.fromEntries(
    Object.entries(stored).flatMap(([name, value]): [string, unknown][] => {
      const given = Object.hasOwn(sent, name) ? sent[name] : undefined;
      if (given === undefined || holdsRecord(value)) return [];
      return [[name, isRecord(value) && isRecord(given) ? sentOf(value, given) : value]];
    }),
  );
}

/**
 * Without other records, and without what was taken from them: their ids, and the name that stands for one not sent.
 */
const created = (record: Fields, sent: Fields): Fields =>
  Object.fromEntries(
    Object.entries(record).filter(([name, value]) => {
      if (recordNames.includes(name) || value === null) return true;
      if (holdsRecord(value)) return false;
      return sent[name] != null || !(name === 'name' || name.endsWith('_uuid'));
    }),
  );

/** Another record shows itself by its id; the items of an order have none of their own. */
const holdsRecord = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(holdsRecord)
    : isRecord(value) && (Object.hasOwn(value, 'id') || Object.values(value).some(holdsRecord));
