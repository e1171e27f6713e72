import {
  commonListParameters,
  descriptionOf,
  instructionOf,
  labelInSentence,
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
  pathParameters,
  type ReferenceName,
  type ResourceName,
  references,
  resources,
} from '@dealkeep/contract';
import type { Operation } from '../../nodes/shared/tables.ts';
import { choicesMethod, locatorModes } from './choices.ts';
import {
  type ChoicesRegistry,
  type GeneratedField,
  generateField,
  locator,
  recordAddress,
} from './fields.ts';
import { besides, operationNames, upserts, whenToUpsert } from './grouping.ts';
import { simplifiedFields } from './record-fields.ts';
import { camelCase, description, sentenceCase, titleCase } from './wording.ts';

/** An operation of the node: its row in the runtime table, and what the editor needs to show it. */
export interface GeneratedOperation {
  readonly id: OperationId;
  readonly resource: ResourceName;
  /** Value of the parameter "Operation". */
  readonly value: string;
  readonly name: string;
  readonly action: string;
  readonly description: string | undefined;
  /** When a language model takes it rather than another one. */
  readonly whenToUse: string | undefined;
  readonly table: Operation;
  readonly inPath: readonly GeneratedField[];
  readonly required: readonly GeneratedField[];
  readonly optional: readonly GeneratedField[];
  readonly filters: readonly GeneratedField[];
  /** Query parameters of what is no list. */
  readonly options: readonly GeneratedField[];
  /** Fields that the list can be sorted by. */
  readonly sorts: readonly string[];
  /** Fields to choose that only narrow the choices of a required one, and are not sent. */
  readonly narrowing: readonly GeneratedField[];
  /** Set on "create or update". */
  readonly upsert?: {
    readonly matchBy: readonly GeneratedField[];
    /** Asked for on top, but needed only when a record is created. */
    readonly toCreate: readonly GeneratedField[];
  };
}

/** All operations of the node, in the contract's order; "create or update" stands after the update. */
export function generateOperations(registry: ChoicesRegistry): GeneratedOperation[] {
  return operationIds.flatMap((id) => {
    const operation = generateOperation(id, registry);
    const upsert = operation.value === 'update' ? generateUpsert(operation.resource, registry) : undefined;
    return upsert ? [operation, upsert] : [operation];
  });
}

function generateOperation(id: OperationId, registry: ChoicesRegistry): GeneratedOperation {
  const declaration: OperationDeclaration = operations[id];
  const resource = resourceOf(declaration);
  const source = { operation: id, registry };
  const inPath = [...declaration.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    pathField(name, declaration, resource, registry, id),
  );
  const [offered, ...leftOut] = sayTheSame(declaration);
  const body = Object.entries(declaration.body?.shape ?? {})
    .filter(([name]) => !leftOut.includes(name))
    .map(([name, schema]) => generateField(name, schema, source));
  const own = Object.entries(declaration.query?.shape ?? {}).filter(
    ([name]) => !commonListParameters.includes(name),
  );
  const common = Object.entries(declaration.query?.shape ?? {}).filter(([name]) =>
    pollingFilters.includes(name),
  );
  const query = [...own, ...common].map(([name, schema]) => generateField(name, schema, source));
  const isList = declaration.shape === 'list';
  const filters = isList ? query : [];
  const options = isList ? [] : query;
  const wording = wordingOf(declaration, resource);
  const isRequired = ({ optional, field }: GeneratedField) => !optional || field.name === offered;
  const required = body.filter(isRequired).map((field) => ({ ...field, optional: false }));
  const optional = body.filter((field) => !isRequired(field));
  const simplified = simplifiedFields(resource, declaration);
  return {
    id,
    resource,
    ...wording,
    inPath,
    required,
    optional,
    filters,
    options,
    sorts: sortsOf(declaration),
    narrowing: narrowingFields([...required, ...optional], registry, id),
    table: {
      method: declaration.method,
      path: declaration.path,
      inPath: inPath.map(({ field }, index) => ({
        ...field,
        placeholder: placeholders(declaration.path)[index] ?? '',
      })),
      required: required.map(({ field }) => field),
      optional: optional.map(({ field }) => field),
      ...(optional.length === 0
        ? {}
        : { collection: declaration.kind === 'update' ? 'updateFields' : 'additionalFields' }),
      ...(isList
        ? { list: { paged: declaration.query !== undefined, filters: filters.map(({ field }) => field) } }
        : {}),
      ...(options.length === 0 ? {} : { query: options.map(({ field }) => field) }),
      answer: declaration.shape,
      ...(simplified ? { simplified } : {}),
    },
  };
}

/** Filters that every list has besides its own. */
const pollingFilters = ['created_after', 'updated_since'];

/** Fields of which exactly one is given, the best first: it alone is offered, and then it is required. */
export function sayTheSame({ body }: OperationDeclaration): readonly string[] {
  const { fields = [], alone = false } = (body && descriptionOf(body)?.oneOf) ?? {};
  return alone ? fields : [];
}

const placeholders = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

function resourceOf(declaration: OperationDeclaration): ResourceName {
  const name = Object.keys(resources).find((each): each is ResourceName => each === declaration.resource);
  if (!name)
    throw new Error(`${declaration.id}: the resource ${declaration.resource} is not in the contract`);
  return name;
}

/** The record of the path, by the parameter `leadId`; another placeholder by its own name. */
function pathField(
  name: string,
  declaration: OperationDeclaration,
  resource: ResourceName,
  registry: ChoicesRegistry,
  id: OperationId,
): GeneratedField {
  const label = resources[resource].label.en;
  const reference = Object.keys(references).find(
    (each): each is keyof typeof references => each === resource,
  );
  if ((name !== 'id' && name !== 'uuid') || !reference) {
    const named = generateField(name, pathParameters(declaration).shape[name], { operation: id, registry });
    const parameter = camelCase(`event_${name}`);
    return {
      ...named,
      optional: false,
      field: { ...named.field, parameter },
      property: { ...named.property, name: parameter },
    };
  }
  const parameter = camelCase(`${resource}_id`);
  const modes = locatorModes(choicesMethod(registry, { reference }), {
    by: 'id',
    url: recordAddress(reference),
  });
  return {
    optional: false,
    field: { name, parameter, label: titleCase(label), kind: 'reference' },
    property: { displayName: titleCase(label), name: parameter, ...locator(modes, undefined) },
  };
}

/**
 * A required field may depend on one that the operation does not take (a lead is moved to a stage, which depends on
 * a pipeline): then that one is offered only to narrow the choices.
 */
function narrowingFields(
  fields: readonly GeneratedField[],
  registry: ChoicesRegistry,
  id: OperationId,
): GeneratedField[] {
  const missing = new Set(
    fields.flatMap(({ dependsOn }) =>
      dependsOn !== undefined && !fields.some(({ field }) => field.name === dependsOn) ? [dependsOn] : [],
    ),
  );
  return [...missing].map((name) => {
    const reference = referenceNamed(name);
    if (!reference) throw new Error(`${id}: ${name} is depended on, but is no reference`);
    const label = titleCase(resources[reference].label.en);
    const modes = locatorModes(choicesMethod(registry, { reference }), { by: 'id' });
    const names = fields.filter(({ dependsOn }) => dependsOn === name).map(({ field }) => field.label);
    return {
      optional: true,
      field: { name, parameter: camelCase(name), label, kind: 'reference' },
      property: {
        displayName: label,
        name: camelCase(name),
        ...locator(modes, `Narrows the list of the field ${names.join(' and ')}, and changes nothing else`),
      },
    };
  });
}

/** The reference that a field such as `pipeline_id` makes, where it is a resource of its own. */
function referenceNamed(field: string): (ReferenceName & ResourceName) | undefined {
  return Object.keys(references).find(
    (each): each is ReferenceName & ResourceName =>
      each in resources && `${each.replaceAll('-', '_')}_id` === field,
  );
}

function sortsOf(declaration: OperationDeclaration): string[] {
  const sort = declaration.query?.shape['sort'];
  const values: unknown[] = sort && 'unwrap' in sort ? Object(sort.unwrap()).options : [];
  return values.map(String).filter((value) => !value.startsWith('-'));
}

function wordingOf(
  declaration: OperationDeclaration,
  resource: ResourceName,
): Pick<GeneratedOperation, 'value' | 'name' | 'action' | 'description' | 'whenToUse'> {
  const own = entryOf(operationNames, declaration.id);
  const label = labelInSentence(resources[resource].label.en);
  const plural = labelInSentence(resources[resource].plural.en);
  const last = declaration.id.slice(declaration.id.lastIndexOf('.') + 1);
  const isList = declaration.kind === 'list';
  const names = isList
    ? { value: 'getAll', name: 'Get Many' }
    : { value: camelCase(last), name: titleCase(last.replaceAll('-', ' ')) };
  const { value, name } = own ?? names;
  // The names that are given say what they are about.
  const action = own ? sentenceCase(name) : sentenceCase(`${name} ${isList ? plural : label}`);
  const { does, when } = instructionOf(declaration);
  const also = entryOf(besides, declaration.id) ?? '';
  return {
    value,
    name,
    action,
    description: description(`${does.replace(/\.$/, '')}${also}`),
    whenToUse: when,
  };
}

const entryOf = <Entry>(table: Partial<Record<OperationId, Entry>>, id: string): Entry | undefined =>
  Object.entries(table).find(([each]) => each === id)?.[1];

function generateUpsert(resource: ResourceName, registry: ChoicesRegistry): GeneratedOperation | undefined {
  const upsert = upserts[resource];
  if (!upsert) return undefined;
  const of = (kind: string) =>
    operationIds.find((id) => operations[id].resource === resource && operations[id].kind === kind);
  const [createId, updateId, listId] = [of('create'), of('update'), of('list')];
  if (!createId || !updateId || !listId) throw new Error(`${resource} cannot be created or updated`);
  const create = generateOperation(createId, registry);
  const list: OperationDeclaration = operations[listId];
  const filters = Object.keys(list.query?.shape ?? {});
  const fields = [...create.required, ...create.optional];
  const matchBy = upsert.map(({ field: name }) => {
    const field = fields.find((each) => each.field.name === name);
    if (!field) throw new Error(`${resource} has no field ${name}`);
    return field;
  });
  const label = labelInSentence(resources[resource].label.en);
  return {
    ...create,
    value: 'upsert',
    name: 'Create or Update',
    action: `Create or update ${label}`,
    description: 'Create a new record, or update the current one if it already exists (upsert)',
    whenToUse: whenToUpsert,
    required: [],
    upsert: { matchBy, toCreate: create.required },
    table: {
      ...create.table,
      required: [],
      upsert: {
        list: list.path,
        update: operations[updateId].path,
        matchBy: upsert.map((each) => ({ ...each, filter: filters.includes(each.field) })),
        toCreate: create.required.map(({ field }) => field),
      },
    },
  };
}
