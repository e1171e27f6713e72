import {
  type EventType,
  exampleOf,
  fieldsOf,
  type OperationDeclaration,
  operations,
} from '@dealkeep/contract';

/** What the contract alone says of a kind of record: how one is made by what its creation needs, and changed. */
export interface PlainRecord {
  readonly create: OperationDeclaration;
  readonly update: OperationDeclaration | undefined;
  /** The fields that a creation needs, as its examples. Records that it needs are not there. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The fields that an update takes and a creation does not need, as their examples. References are left out. */
  readonly changes: Readonly<Record<string, unknown>>;
}

const declarations = Object.values<OperationDeclaration>(operations);

/** Raises an error for records that are not made through the API. */
export function plainRecord(resource: string): PlainRecord {
  const ofKind = (kind: string) =>
    declarations.find((each) => each.resource === resource && each.kind === kind);
  const [create, update] = [ofKind('create'), ofKind('update')];
  if (!create?.body) throw new Error(`Nothing of the API makes a ${resource}`);
  const needed = fieldsOf(create.body).filter(({ required }) => required);
  const free = (update?.body ? fieldsOf(update.body) : []).filter(
    ({ name, reference }) => !reference && !needed.some((each) => each.name === name),
  );
  const examples = (of: OperationDeclaration | undefined, names: readonly { readonly name: string }[]) =>
    Object.fromEntries(
      names.flatMap(({ name }) => {
        const field = of?.body?.shape[name];
        return field ? [[name, exampleOf(field)]] : [];
      }),
    );
  return { create, update, body: examples(create, needed), changes: examples(update, free) };
}

/** The operation of the API that causes an event of such a record. */
export const operationCausing = (type: EventType): OperationDeclaration | undefined =>
  declarations.find(({ emits, kind }) => emits?.includes(type) && kind !== 'batch' && kind !== 'upsert');

/** The references of a creation, as one of its bodies names these records. */
export const naming = (
  { create }: PlainRecord,
  records: Readonly<Partial<Record<string, string>>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (create.body ? fieldsOf(create.body) : []).flatMap(({ name, reference }) => {
      const id = reference && records[reference];
      return id ? [[name, id]] : [];
    }),
  );
