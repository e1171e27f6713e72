import {
  everyOperation,
  type FieldFacts,
  fieldsOf,
  type OperationDeclaration,
  type Text,
  text,
} from '@dealkeep/contract';
import type { Services } from '../../change/services.ts';
import type { CustomField, ReferenceData } from '../../identity/reference-data/reference-data.ts';

/**
 * The kinds of records that can be imported: what makes them, what updates those that match, and where they stand.
 */
export const importKinds = {
  company: { create: 'companies.create', upsert: 'companies.upsert', table: 'companies' },
  contact: { create: 'contacts.create', upsert: 'contacts.upsert', table: 'contacts' },
  lead: { create: 'leads.create', upsert: undefined, table: 'leads' },
  product: { create: 'products.create', upsert: undefined, table: 'products' },
} as const;

export type ImportKind = keyof typeof importKinds;

export const isImportKind = (name: string): name is ImportKind => Object.hasOwn(importKinds, name);

/** A field that a column of a file can fill. */
export interface ImportTarget {
  /** In the body: `owner_id`, `company.name`; of an own field of the organization `custom_fields.Segment`. */
  readonly path: string;
  readonly label: Text;
  readonly field: FieldFacts;
  /** The object that it stands in. */
  readonly inside?: FieldFacts;
  readonly customField?: CustomField;
}

/** What a creation takes and no table does: it says how, not what. */
const leftOut: readonly string[] = ['dedupe'];

/** The fields that columns can fill, as the contract has them, and the organization's own fields. */
export function targetsOf(kind: ImportKind, referenceData: ReferenceData): readonly ImportTarget[] {
  const { body }: OperationDeclaration = everyOperation[importKinds[kind].create];
  const fields = body ? fieldsOf(body) : [];
  const objects = new Set(fields.filter(isOneObject).map(({ name }) => name));
  return fields.flatMap((field): ImportTarget[] => {
    // Where a record can be described, a table does that instead of naming its id.
    if (leftOut.includes(field.name) || objects.has(field.name.replace(/_id$/, ''))) {
      return isOneObject(field) ? field.fields.map((inner) => insideOf(field, inner)) : [];
    }
    if (field.name === 'custom_fields') return customTargets(field, referenceData);
    if (field.type === 'object') return [];
    return [{ path: field.name, label: labelOf(field), field }];
  });
}

const isOneObject = ({ type, isArray, fields }: FieldFacts): boolean =>
  type === 'object' && !isArray && fields.length > 0;

const labelOf = ({ description, name }: FieldFacts): Text => description?.label ?? text(name, name);

function insideOf(inside: FieldFacts, field: FieldFacts): ImportTarget {
  const [outer, inner] = [labelOf(inside), labelOf(field)];
  return {
    path: `${inside.name}.${field.name}`,
    label: text(`${outer.en}: ${inner.en}`, `${outer.sk}: ${inner.sk}`),
    field,
    inside,
  };
}

const customTargets = (field: FieldFacts, { customFields }: ReferenceData): ImportTarget[] =>
  [...customFields.values()].map((customField) => ({
    path: `${field.name}.${customField.name}`,
    label: text(customField.name, customField.name),
    field,
    customField,
  }));

/** The same, as the organization has it now. */
export const importTargets = async (
  { referenceDataCache, sql }: Pick<Services, 'referenceDataCache' | 'sql'>,
  { id }: { readonly id: string },
  kind: ImportKind,
): Promise<readonly ImportTarget[]> => targetsOf(kind, await referenceDataCache.current(sql, id));

/** Whether every new record needs it. */
export const isRequired = ({ field, inside, customField }: ImportTarget): boolean =>
  customField ? customField.required : inside === undefined && field.required && !field.nullable;

/** By which records can be found that are there already; none where they are always new. */
export function matchFieldsOf(kind: ImportKind): readonly string[] {
  const { upsert } = importKinds[kind];
  if (!upsert) return [];
  const { body }: OperationDeclaration = everyOperation[upsert];
  return (body ? fieldsOf(body) : []).find(({ name }) => name === 'match_by')?.values ?? [];
}
