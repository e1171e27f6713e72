import type { RecordName } from '@dealkeep/contract';
import type { Erased } from '../../change/record-tables/erased.ts';
import { erasedKinds } from '../record-kinds.ts';

/** The kind of a record that is being erased, by its id; undefined for all others. */
export type KindOf = (id: string) => RecordName | undefined;

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * JSON text in which the records that are being erased are found, wherever they stand, and lose their personal data.
 */
export function eraseInText(text: string, kindOf: KindOf): string {
  const value: unknown = JSON.parse(text);
  return JSON.stringify(isEnvelope(value) ? eraseEnvelope(value, kindOf) : eraseIn(value, kindOf));
}

/** The ids that stand anywhere in JSON text. */
export const idsIn = (text: string): string[] => [...text.matchAll(quotedId)].map(([, id]) => id ?? '');

const quotedId = /"([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"/g;

const personalFields = (kind: RecordName): Readonly<Record<string, Erased>> =>
  erasedKinds.get(kind)?.fields ?? {};

interface Envelope extends Fields {
  readonly data: Fields;
  readonly previous: Fields;
}

const isEnvelope = (value: unknown): value is Envelope =>
  isObject(value) && isObject(value['data']) && isObject(value['previous']);

/** Former values are those of a record, but do not say of which. */
function eraseEnvelope(envelope: Envelope, kindOf: KindOf): Fields {
  const kind = kindOfRecord(envelope.data, kindOf);
  return {
    ...envelope,
    data: eraseIn(envelope.data, kindOf),
    previous: kind
      ? eraseFields(envelope.previous, personalFields(kind), kindOf)
      : eraseIn(envelope.previous, kindOf),
  };
}

function kindOfRecord(record: Fields, kindOf: KindOf): RecordName | undefined {
  const id = record['id'] ?? record['uuid'];
  return typeof id === 'string' ? kindOf(id) : undefined;
}

function eraseIn(value: unknown, kindOf: KindOf): unknown {
  if (Array.isArray(value)) return value.map((each) => eraseIn(each, kindOf));
  if (!isObject(value)) return value;
  const kind = kindOfRecord(value, kindOf);
  return eraseFields(value, kind ? personalFields(kind) : {}, kindOf);
}

function eraseFields(object: Fields, personal: Readonly<Record<string, Erased>>, kindOf: KindOf): Fields {
  const entries = Object.entries(object).map(([name, value]) => {
    const erased = Object.hasOwn(personal, name) ? personal[name] : undefined;
    return [name, erased ? eraseField(value, erased, kindOf) : eraseIn(value, kindOf)] as const;
  });
  return Object.fromEntries(entries);
}

/** What has no value keeps none. */
function eraseField(value: unknown, erased: Erased, kindOf: KindOf): unknown {
  if (value === null) return null;
  if ('becomes' in erased) return erased.becomes;
  if ('link' in erased) {
    return isObject(value) && kindOfRecord(value, kindOf) ? eraseIn(value, kindOf) : null;
  }
  if (Array.isArray(value)) return value.map((each) => eraseField(each, erased, kindOf));
  return isObject(value) ? eraseFields(value, erased.fields, kindOf) : value;
}
