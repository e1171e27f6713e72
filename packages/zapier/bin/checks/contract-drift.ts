import {
  actionKey,
  leftOutActions,
  operationOf,
  referenceOf,
  searches,
  triggerKey,
  triggers,
} from '@dealkeep/connectors';
import {
  bareSchema,
  commonListParameters,
  descriptionOf,
  type EventDeclaration,
  jsonPartsOf,
  type OperationDeclaration,
  type ResourceDeclaration,
  referenceOfField,
  type Scope,
} from '@dealkeep/contract';
import * as z from 'zod';
import { searchFieldKey } from '../../src/searches/search-key.ts';
import { type Definition, inputFieldsOf, type Operation, outputFieldsOf } from './definition.ts';

/** What the API promises; a test hands over a copy with more in it. */
export interface Contract {
  readonly operations: Readonly<Record<string, OperationDeclaration>>;
  readonly events: Readonly<Record<string, EventDeclaration>>;
  readonly resources: Readonly<Record<string, ResourceDeclaration>>;
}

type Reaches = (scope: Scope | null) => boolean;

/**
 * What the contract promises and a definition lacks, each with the file where it belongs. What the variant's
 * connections cannot reach is not missed.
 */
export function driftFindings(definition: Definition, contract: Contract, reaches: Reaches): string[] {
  const { resources } = contract;
  const operations = Object.values(contract.operations).filter(
    ({ resource, scope }) => reaches(scope) && resources[resource]?.kind === 'record',
  );
  return [
    ...operations
      // A batch does what actions do, many at once: a program has them together, a workflow has them one by one.
      .filter(({ id, kind }) => !['list', 'get', 'batch'].includes(kind) && !isLeftOut(id))
      .flatMap((operation) => actionDrift(definition, operation, reaches)),
    ...operations
      .filter(({ kind }) => kind === 'list')
      .flatMap((operation) => searchDrift(definition, operation, reaches)),
    ...Object.entries(contract.events)
      .filter(([, { scope }]) => reaches(scope))
      .flatMap(([type, event]) => eventDrift(definition, type, event, resources[event.entity]?.schema)),
  ];
}

const isLeftOut = (id: string): boolean => leftOutActions.some((each) => each === id);

function actionDrift(definition: Definition, operation: OperationDeclaration, reaches: Reaches): string[] {
  const key = actionKey(operation);
  const action = definition.creates[key];
  if (!action)
    return [
      `The operation ${operation.id} has no action: add it to packages/connectors/src/catalog/actions.ts, to "actions" or, with the reason, to "leftOutActions".`,
    ];
  const form = keysOfForm(action);
  const missing = bodyKeys(operation.body, reaches).filter((each) => !form.includes(each));
  return missing.map(
    (each) =>
      `The body of ${operation.id} takes ${each}, which ${key} does not ask for: packages/connectors/src/forms/form-field.ts derives forms.`,
  );
}

function searchDrift(definition: Definition, operation: OperationDeclaration, reaches: Reaches): string[] {
  const key = `find_${operation.resource.replaceAll('-', '_')}`;
  const search = definition.searches[key];
  if (!search)
    return [`The list ${operation.id} has no search: add it to packages/connectors/src/catalog/searches.ts.`];
  const leftOut = searches.find(({ list }) => list === operation.id)?.leftOut ?? [];
  const form = keysOfForm(search);
  const known = [...leftOut, ...commonListParameters];
  return bodyKeys(operation.query, reaches)
    .filter((each) => !known.includes(each) && !form.includes(searchFieldKey(each)))
    .map(
      (each) =>
        `The list ${operation.id} has the filter ${each}, by which ${key} does not search: add it to its line in packages/connectors/src/catalog/searches.ts, to "filters" or, with the reason, to "leftOut".`,
    );
}

function eventDrift(
  definition: Definition,
  type: string,
  { filters = {}, leaves = {} }: EventDeclaration,
  record: z.ZodObject | undefined,
): string[] {
  const own = Object.values(definition.triggers).find(
    (trigger) =>
      trigger.key === type.replace('.', '_') || (trigger.key !== 'any_event' && offers(trigger, type)),
  );
  const any = definition.triggers['any_event'];
  if (!own || !any || !offers(any, type)) {
    return [
      `The event ${type} starts no Zap: add it to a trigger of packages/connectors/src/catalog/triggers.ts.`,
    ];
  }
  const outputs = outputFieldsOf(own).map(({ key }) => key);
  const names = Object.entries(record?.shape ?? {}).flatMap(([name, schema]) =>
    bareSchema(schema).optional ? [] : [name],
  );
  const isGivenOn = (name: string) =>
    outputs.some((key) => key === name || key.startsWith(`${name}__`) || key.startsWith(`${name}[]`));
  // What an event decides, and what its choice stands for, nobody needs to be asked.
  const { choiceOf } = triggers.find((trigger) => triggerKey(trigger) === own.key) ?? {};
  const filtered = Object.keys(filters).filter((name) => !Object.hasOwn(leaves, name) && name !== choiceOf);
  const form = keysOfForm(own);
  return [
    ...filtered
      .filter((name) => !form.includes(name))
      .map(
        (name) =>
          `The event ${type} can be filtered by ${name}, which ${own.key} does not offer: packages/connectors/src/triggers/event-filters.ts derives filters.`,
      ),
    ...names
      .filter((name) => !isGivenOn(name))
      .map(
        (name) =>
          `The record of ${type} has ${name}, which ${own.key} does not give on: packages/connectors/src/records/output-fields.ts derives outputs.`,
      ),
    ...(type.endsWith('.updated') && !form.includes('fields_to_watch')
      ? [
          `${own.key} offers no fields to watch: packages/connectors/src/triggers/trigger-form.ts adds them to what an update starts.`,
        ]
      : []),
  ];
}

/** True when a trigger lets people choose an event. */
function offers(trigger: Operation, type: string): boolean {
  const events = inputFieldsOf({ where: '', operation: trigger }).find(({ field }) => field.key === 'events');
  return Object.hasOwn(Object(events?.field.choices), type);
}

const keysOfForm = (operation: Operation): string[] =>
  inputFieldsOf({ where: '', operation }).map(({ field }) => field.key);

/**
 * The keys of a body or query, nested objects spread out as the editor shows them, without what cannot be listed.
 */
function bodyKeys(object: z.ZodObject | undefined, reaches: Reaches, prefix = ''): string[] {
  return Object.entries(object?.shape ?? {}).flatMap(([name, schema]) => {
    if (descriptionOf(schema)?.leftOutOf === 'forms') return [];
    const reference = referenceOfField(schema);
    if (reference && !reaches(operationOf(referenceOf(reference).list).scope)) return [];
    const bare = jsonPartsOf(schema) ?? bareSchema(schema).bare;
    if (bare instanceof z.ZodObject) return bodyKeys(bare, reaches, `${prefix}${name}__`);
    const line = bare instanceof z.ZodArray ? bareSchema(bare.element).bare : undefined;
    const inside = line instanceof z.ZodObject ? bodyKeys(line, reaches, `${prefix}${name}__`) : [];
    return [`${prefix}${name}`, ...inside];
  });
}
