import type { Check } from './check.ts';
import { type Definition, inputFieldsOf, operationsOf, type Place, visibleOperations } from './definition.ts';

const smallWords = new Set([
  'a',
  'an',
  'and',
  'as',
  'at',
  'by',
  'for',
  'in',
  'of',
  'on',
  'or',
  'per',
  'the',
  'to',
]);

const hooks = (definition: Definition): Place[] =>
  visibleOperations(definition).filter(({ operation }) => operation.operation.type === 'hook');
const kindOf = ({ where }: Place): string => where.slice(0, where.indexOf('.'));
const wheres = (places: readonly { where: string }[]): string[] => places.map(({ where }) => where);

export const operationChecks: readonly Check[] = [
  {
    code: 'D003',
    promise: 'the connection is labelled by whose it is',
    findings: ({ authentication: { connectionLabel: label } }) =>
      label !== undefined && (label.startsWith('$func$') || label.includes('{{')) ? [] : ['authentication'],
  },
  {
    code: 'D006',
    promise: 'an instant trigger can be tested with records that are there',
    findings: (definition) =>
      wheres(hooks(definition).filter(({ operation }) => operation.operation.performList === undefined)),
  },
  {
    code: 'D007',
    promise: 'every address is https',
    findings: (definition) =>
      [...JSON.stringify(definition).matchAll(/http:\/\/[^\s"`\\]*/g)].map(([url]) => url),
  },
  {
    code: 'D008',
    promise: 'a link in a text is a Markdown link or stands in backticks',
    findings: (definition) =>
      textsOf(definition)
        .filter(({ text }) => /https?:\/\//.test(text.replaceAll(/`[^`]*`|\[[^\]]+\]\([^)\s]+\)/g, '')))
        .map(({ where }) => where),
  },
  {
    code: 'D009',
    promise: 'a search has a field to search by',
    findings: (definition) =>
      wheres(
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
    code: 'D017',
    promise: 'an instant trigger subscribes and unsubscribes by itself',
    findings: (definition) =>
      wheres(
        hooks(definition).filter(
          ({ operation: { operation } }) =>
            operation.performSubscribe === undefined || operation.performUnsubscribe === undefined,
        ),
      ),
  },
  {
    code: 'D018',
    promise: 'labels are in title case',
    findings: (definition) =>
      labelsOf(definition)
        .filter(({ label }) => !isTitleCase(label))
        .map(({ where, label }) => `${where} (${label})`),
  },
  {
    code: 'D021',
    promise: 'a trigger is described as "Triggers when … ."',
    findings: (definition) =>
      wheres(
        visibleOperations(definition).filter(
          (place) =>
            kindOf(place) === 'triggers' &&
            !/^Triggers when .+\.$/.test(place.operation.display.description ?? ''),
        ),
      ),
  },
  {
    code: 'D022',
    promise: 'an action has fields that every user has',
    findings: (definition) =>
      wheres(
        visibleOperations(definition).filter(
          (place) => kindOf(place) === 'creates' && inputFieldsOf(place).length === 0,
        ),
      ),
  },
];

function labelsOf(definition: Definition): { where: string; label: string }[] {
  const ofOperations = visibleOperations(definition).flatMap((place) => [
    { where: place.where, label: place.operation.display.label ?? '' },
    ...inputFieldsOf(place).map(({ where, field }) => ({ where, label: field.label ?? '' })),
  ]);
  const ofPairs = Object.entries(definition.searchOrCreates).map(([key, { display }]) => ({
    where: `searchOrCreates.${key}`,
    label: display.label ?? '',
  }));
  return [...ofOperations, ...ofPairs];
}

function textsOf(definition: Definition): { where: string; text: string }[] {
  return operationsOf(definition)
    .flatMap((place) => [
      { where: place.where, text: place.operation.display.description ?? '' },
      ...inputFieldsOf(place).map(({ where, field }) => ({ where, text: field.helpText ?? '' })),
    ])
    .concat(
      definition.authentication.fields.map(({ key, helpText }) => ({
        where: `authentication.${key}`,
        text: helpText ?? '',
      })),
    );
}

function isTitleCase(label: string): boolean {
  const words = label.split(/[\s-]+/);
  return (
    label !== '' &&
    words.every((word, index) => {
      const inside = index > 0 && index < words.length - 1;
      return (inside && smallWords.has(word)) || /^[^\p{Ll}]/u.test(word);
    })
  );
}
