import type { Check } from './check.ts';
import {
  type Definition,
  inputFieldsOf,
  kindOf,
  type Operation,
  operationsOf,
  type Place,
  visibleOperations,
  wheresOf,
} from './definition.ts';
import { secretKey } from './field-checks.ts';

const hooks = (definition: Definition): Place[] =>
  visibleOperations(definition).filter(({ operation }) => operation.operation.type === 'hook');
const keysOf = (operation: Operation | undefined): string[] =>
  operation ? inputFieldsOf({ where: '', operation }).map(({ field }) => field.key) : [];
const isStatic = ({ operation: { operation } }: Place): boolean =>
  operation.performSubscribe === undefined || operation.performUnsubscribe === undefined;

export const operationChecks: readonly Check[] = [
  {
    code: 'D003',
    promise: 'the connection is labelled by whose it is',
    findings: ({ authentication: { connectionLabel: label } }) =>
      label !== undefined &&
      (label.startsWith('$func$') || label.includes('{{')) &&
      !secretKey.test(label.replace(/^\$func\$.*$/, ''))
        ? []
        : ['authentication'],
  },
  {
    code: 'D006',
    promise: 'an instant trigger can be tested with records that are there',
    findings: (definition) =>
      wheresOf(hooks(definition).filter(({ operation }) => operation.operation.performList === undefined)),
  },
  {
    code: 'D009',
    promise: 'a search has a field to search by',
    findings: (definition) =>
      wheresOf(
        visibleOperations(definition).filter(
          (place) => kindOf(place) === 'searches' && inputFieldsOf(place).length === 0,
        ),
      ),
  },
  {
    code: 'D015',
    promise: 'find-or-create joins a search and an action that exist, under the key of the search',
    findings: ({ searchOrCreates, searches, creates }) =>
      Object.entries(searchOrCreates)
        .filter(
          ([key, { search, create }]) => key !== search || !(search in searches) || !(create in creates),
        )
        .map(([key]) => `searchOrCreates.${key}`),
  },
  {
    // Not a code of Zapier's: it hands search and action one input, and a key of both would mean two things.
    code: 'PAIR',
    promise: 'the search and the action of a find-or-create ask for nothing under the same key',
    findings: (definition) =>
      Object.entries(definition.searchOrCreates).flatMap(([pair, { search, create }]) => {
        const keys = keysOf(definition.searches[search]);
        return keysOf(definition.creates[create])
          .filter((key) => keys.includes(key))
          .map((key) => `searchOrCreates.${pair}.${key}`);
      }),
  },
  {
    code: 'D016',
    promise: 'there is more than one webhook that people paste by hand',
    findings: (definition) => {
      const [only, ...others] = visibleOperations(definition);
      if (only === undefined) return ['the definition offers nothing'];
      return others.length === 0 && only.operation.operation.type === 'hook' && isStatic(only)
        ? [only.where]
        : [];
    },
  },
  {
    code: 'D017',
    promise: 'an instant trigger subscribes and unsubscribes by itself',
    findings: (definition) => wheresOf(hooks(definition).filter(isStatic)),
  },
  {
    code: 'D022',
    promise: 'an action has fields that every user has',
    findings: (definition) =>
      wheresOf(
        visibleOperations(definition).filter(
          (place) => kindOf(place) === 'creates' && inputFieldsOf(place).length === 0,
        ),
      ),
  },
  {
    code: 'D028',
    promise: 'empty values stay in their places, so that line items keep theirs',
    findings: (definition) => [
      ...(definition.flags?.cleanInputData === false ? [] : ['flags.cleanInputData']),
      ...wheresOf(
        operationsOf(definition).filter(({ operation: { operation } }) => operation.cleanInputData === true),
      ),
    ],
  },
];
