import {
  bareSchema,
  commonListParameters,
  descriptionOf,
  instructionOf,
  labelInSentence,
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
  pathParameters,
  type Reference,
  type ReferenceName,
  type ResourceName,
  references,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import * as z from 'zod';
import type { Operation } from '../../nodes/shared/tables.ts';
import { batchOf } from './batches.ts';
import {
  type ChoicesRegistry,
  type ChoicesRequest,
  choicesMethod,
  locatorModes,
  type Selection,
} from './choices.ts';
import { type GeneratedField, generateField, locator, recordAddress } from './fields.ts';
import {
  besides,
  candidates,
  leftOut,
  leftOutFields,
  onTop,
  operationNames,
  type Shortcut,
  shortcuts,
} from './grouping.ts';
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
  /** Optional fields that stand on top all the same. */
  readonly top: readonly GeneratedField[];
  /** Required query parameters. */
  readonly asked: readonly GeneratedField[];
  /** Set on "create or update". */
  readonly upsert?: {
    /** Which of the next ones tells whether the record exists. */
    readonly choice: GeneratedField;
    readonly matchBy: readonly GeneratedField[];
    /** Asked for on top, but needed only when a record is created. */
    readonly toCreate: readonly GeneratedField[];
  };
}

/** The operations of the API that the node offers. */
export const offeredIds: readonly OperationId[] = operationIds.filter((id) => leftOut[id] === undefined);

/** All operations of the node, in the contract's order; shortcuts stand after what they are short for. */
export function generateOperations(registry: ChoicesRegistry): GeneratedOperation[] {
  return offeredIds.flatMap((id) => {
    const operation = generateOperation(id, registry);
    const short = shortcuts.filter((each) => each.of === id);
    return [operation, ...short.map((each) => generateShortcut(each, operation, registry))];
  });
}

function generateOperation(id: OperationId, registry: ChoicesRegistry): GeneratedOperation {
  const declaration: OperationDeclaration = operations[id];
  const resource = resourceOf(declaration);
  const source = { operation: id, registry };
  const wording = wordingOf(declaration, resource);
  const only = selectionOf(declaration, `${camelCase(resource)}.${wording.value}`);
  const inPath = placeholders(declaration.path).map((name) =>
    pathField(name, declaration, registry, id, only),
  );
  const [offered, ...same] = sayTheSame(declaration);
  const bodyFields = Object.entries(askedOf(declaration, 'body')).filter(([name]) => !same.includes(name));
  const customFields = bodyFields.some(([, schema]) => isDictionary(schema));
  const body = bodyFields
    .filter(([, schema]) => !isDictionary(schema))
    .map(([name, schema]) => generateField(name, schema, source));
  const own = Object.entries(askedOf(declaration, 'query')).filter(
    ([name]) => !commonListParameters.includes(name),
  );
  const common = Object.entries(declaration.query?.shape ?? {}).filter(([name]) =>
    pollingFilters.includes(name),
  );
  const query = [...own, ...common].map(([name, schema]) => generateField(name, schema, source));
  const isList = declaration.shape === 'list';
  const filters = isList ? query : [];
  const asked = isList ? [] : query.filter(({ optional }) => !optional);
  const options = isList ? [] : query.filter(({ optional }) => optional);
  const isRequired = ({ optional, field }: GeneratedField) => !optional || field.name === offered;
  const isOnTop = ({ field }: GeneratedField) => onTop[id]?.includes(field.name) ?? false;
  const needed = body.filter(isRequired).map((field) => ({ ...field, optional: false }));
  const choice =
    declaration.kind === 'upsert' ? needed.find(({ field }) => field.name === 'match_by') : undefined;
  const upsert = choice && upsertOf(choice, declaration, resource, body);
  const required = needed.filter((field) => field !== choice);
  const inside = body.filter((field) => !isRequired(field) && !isOnTop(field));
  const optional = inside.filter(
    ({ field }) => !upsert?.toCreate.some((each) => each.field.name === field.name),
  );
  const top = upsert ? unique([...upsert.matchBy, ...upsert.toCreate]) : body.filter(isOnTop);
  const simplified = simplifiedFields(resource, declaration);
  const mapped = isMapped(declaration);
  const batch = batchOf(id);
  return {
    id,
    resource,
    ...wording,
    inPath,
    required,
    optional,
    top,
    asked,
    filters,
    options,
    sorts: sortsOf(declaration),
    narrowing: narrowingFields([...required, ...optional, ...top], registry, id),
    ...(upsert ? { upsert } : {}),
    table: {
      method: declaration.method,
      path: declaration.path,
      inPath: inPath.map(({ field }, index) => ({
        ...field,
        placeholder: placeholders(declaration.path)[index] ?? '',
      })),
      ...(choice ? { always: [choice.field] } : {}),
      required: required.map(({ field }) => field),
      ...(top.length === 0 ? {} : { top: top.map(({ field }) => field) }),
      optional: optional.map(({ field }) => field),
      ...(optional.length === 0
        ? {}
        : { collection: declaration.kind === 'update' ? 'updateFields' : 'additionalFields' }),
      ...(isList
        ? {
            list: {
              paged: declaration.query !== undefined,
              ...(declaration.endless ? { endless: true as const } : {}),
              filters: filters.map(({ field }) => field),
            },
          }
        : {}),
      ...(asked.length === 0 ? {} : { asked: asked.map(({ field }) => field) }),
      ...(options.length === 0 ? {} : { query: options.map(({ field }) => field) }),
      ...(mapped ? { mapped } : {}),
      ...(customFields ? { customFields } : {}),
      answer: declaration.shape,
      ...(simplified ? { simplified } : {}),
      ...(batch ? { batch } : {}),
    },
  };
}

const unique = (fields: readonly GeneratedField[]): GeneratedField[] => [
  ...new Map(fields.map((each) => [each.field.name, each])).values(),
];

/** Values by names that the organization gives. */
const isDictionary = (schema: z.core.$ZodType): boolean =>
  bareSchema(schema).bare instanceof z.ZodRecord && !descriptionOf(schema)?.filtersEvents;

/** Whether columns of the input can be mapped to its fields: what writes a record of the business does so. */
const isMapped = ({ kind, resource }: OperationDeclaration): boolean =>
  (kind === 'create' || kind === 'update' || kind === 'upsert') &&
  resourceNames.some((name) => name === resource && resources[name].kind === 'record');

/** An operation that sets certain fields of another one, and asks for nothing but the record. */
function generateShortcut(
  { value, name, description: text, whenToUse, sends }: Shortcut,
  of: GeneratedOperation,
  registry: ChoicesRegistry,
): GeneratedOperation {
  const { method, path, answer, simplified } = of.table;
  const declaration: OperationDeclaration = operations[of.id];
  const only = candidates[`${camelCase(of.resource)}.${value}`];
  const inPath = placeholders(path).map((each) => pathField(each, declaration, registry, of.id, only));
  return {
    ...of,
    value,
    name,
    action: sentenceCase(`${name} ${labelInSentence(resources[of.resource].label.en)}`),
    description: text,
    whenToUse,
    inPath,
    required: [],
    optional: [],
    narrowing: [],
    table: {
      method,
      path,
      inPath: of.table.inPath,
      sends,
      required: [],
      optional: [],
      answer,
      ...(simplified ? { simplified } : {}),
    },
  };
}

/** What people are asked for; the rest is for programs alone. */
function askedOf(
  declaration: OperationDeclaration,
  part: 'body' | 'query',
): NonNullable<OperationDeclaration['body']>['shape'] {
  const left = Object.entries(leftOutFields).find(([id]) => id === declaration.id)?.[1] ?? {};
  return Object.fromEntries(
    Object.entries(declaration[part]?.shape ?? {}).filter(
      ([name, schema]) => descriptionOf(schema)?.leftOutOf !== 'forms' && left[name] === undefined,
    ),
  );
}

/** Of which records the list is offered: of those that can still be changed, where the operation changes one. */
function selectionOf({ kind, resource }: OperationDeclaration, operation: string): Selection | undefined {
  const own = candidates[operation];
  if (own || (kind !== 'update' && kind !== 'action')) return own;
  const reference: Reference | undefined = Object.entries(references).find(
    ([name]) => name === resource,
  )?.[1];
  if (!reference?.inUse) return undefined;
  const query = Object.entries(reference.inUse).map(([name, value]) => [name, String(value)]);
  return { called: 'current', query: Object.fromEntries(query) };
}

/** Filters that every list has besides its own. */
const pollingFilters = ['created_after', 'created_before', 'updated_since', 'updated_before'];

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

/** The record of the path, by the parameter `leadId`; what is no record that can be listed, by a name of its own. */
function pathField(
  name: string,
  declaration: OperationDeclaration,
  registry: ChoicesRegistry,
  id: OperationId,
  only: Selection | undefined,
): GeneratedField {
  const reference = referenceInPath(name, declaration.path);
  if (!reference) {
    const parameter = camelCase(name.endsWith('_id') ? name : `event_${name}`);
    const named = generateField(name, pathParameters(declaration).shape[name], { operation: id, registry });
    const field = { ...named.field, parameter };
    const below = listedBelow(name, declaration.path);
    const { description: _, ...property } = named.property;
    if (!below) return { ...named, optional: false, field, property: { ...property, name: parameter } };
    const modes = locatorModes(choicesMethod(registry, below), { by: 'id' });
    return {
      optional: false,
      dependsOn: 'webhook_id',
      field: { ...field, kind: 'reference' },
      property: { displayName: named.field.label, name: parameter, ...locator(modes, undefined) },
    };
  }
  const label = titleCase(resources[reference].label.en);
  const parameter = camelCase(`${reference}_id`);
  const modes = locatorModes(choicesMethod(registry, { reference, only }), {
    by: 'id',
    url: recordAddress(reference),
  });
  return {
    optional: false,
    field: { name, parameter, label, kind: 'reference' },
    property: { displayName: label, name: parameter, ...locator(modes, undefined) },
  };
}

/** The record that stands at a place of a path: one of the list whose address is before it. */
function referenceInPath(name: string, path: string): (ReferenceName & ResourceName) | undefined {
  const before = path.slice(0, path.indexOf(`/{${name}}`));
  return Object.keys(references).find((each): each is ReferenceName & ResourceName => {
    const reference: Reference | undefined = Object.entries(references).find(([key]) => key === each)?.[1];
    const list = Object.values(operations).find(({ id }) => id === reference?.list);
    return reference?.items === undefined && each in resources && list?.path === before;
  });
}

/** The deliveries of a webhook: what can be listed below the record that stands before it in a path. */
function listedBelow(name: string, path: string): ChoicesRequest | undefined {
  const before = path.slice(0, path.indexOf(`/{${name}}`));
  const below = Object.values<OperationDeclaration>(operations).find(
    ({ kind, path: each }) => kind === 'list' && each === before && each.includes('{'),
  );
  return below && { below, parameter: 'webhookId', names: ['event', 'id'], apart: ['last_attempt_at'] };
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
  const isUpsert = declaration.kind === 'upsert';
  const names = isList
    ? { value: 'getAll', name: 'Get Many' }
    : { value: camelCase(last), name: isUpsert ? 'Create or Update' : titleCase(last.replaceAll('-', ' ')) };
  const { value, name } = own ?? names;
  // The names that are given say what they are about.
  const action =
    own?.action ?? (own ? sentenceCase(name) : sentenceCase(`${name} ${isList ? plural : label}`));
  const { does, when } = instructionOf(declaration);
  const also = entryOf(besides, declaration.id) ?? '';
  return {
    value,
    name,
    action,
    // The words that n8n's linter wants to see here.
    description: isUpsert
      ? `Create a new ${label}, or update the current one if it already exists (upsert)`
      : description(`${does.replace(/\.$/, '')}${also}`),
    whenToUse: when,
  };
}

const entryOf = <Entry>(table: Partial<Record<OperationId, Entry>>, id: string): Entry | undefined =>
  Object.entries(table).find(([each]) => each === id)?.[1];

/** How "create or update" asks for what tells whether a record exists, and for what a new one needs. */
function upsertOf(
  choice: GeneratedField,
  declaration: OperationDeclaration,
  resource: ResourceName,
  body: readonly GeneratedField[],
): NonNullable<GeneratedOperation['upsert']> {
  const create = Object.values<OperationDeclaration>(operations).find(
    (each) => each.resource === resource && each.kind === 'create',
  );
  const named = (name: string): GeneratedField => {
    const field = body.find((each) => each.field.name === name);
    if (!field) throw new Error(`${declaration.id} has no field ${name}`);
    return field;
  };
  const schema = declaration.body?.shape[choice.field.name];
  const matchBy = Object.keys((schema && descriptionOf(schema)?.choices) ?? {}).map(named);
  const needed = Object.entries(create?.body?.shape ?? {}).filter(([, each]) => !bareSchema(each).optional);
  return { choice, matchBy, toCreate: needed.map(([name]) => named(name)) };
}
