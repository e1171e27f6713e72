import type { Check } from './check.ts';
import { type Definition, inputFieldsOf, kindOf, type Place, visibleOperations } from './definition.ts';

/** Not codes of Zapier's: what people would expect of a form. */
export const formChecks: readonly Check[] = [
  {
    code: 'COPY',
    promise: 'what the box of a find-or-create does is said right above it',
    findings: ({ searchOrCreates, searches }) =>
      Object.entries(searchOrCreates).flatMap(([pair, { search }]) => {
        const last = searches[search]?.operation.inputFields.at(-1);
        const isTold = typeof last === 'object' && last.type === 'copy' && last.helpText !== undefined;
        return isTold ? [] : [`searchOrCreates.${pair}`];
      }),
  },
  {
    code: 'ORDER',
    promise: 'a dropdown stands right after the field that it waits for',
    findings: (definition) => stepsOf(definition, ['creates', 'searches']).flatMap(misplaced),
  },
  {
    code: 'CHOICE',
    promise: 'a record that is either chosen or described is one choice',
    findings: (definition) =>
      stepsOf(definition, ['creates']).flatMap((place) => {
        const fields = inputFieldsOf(place).map(({ field }) => field);
        const isChosen = (of: string) =>
          fields.some((field) => field.key === `${of}_choice` && field.altersDynamicFields === true);
        const described = new Set(
          fields.flatMap(({ key }) => (key.includes('__') ? [key.slice(0, key.indexOf('__'))] : [])),
        );
        return fields
          .filter(({ key, dynamic }) => dynamic !== undefined && described.has(key.replace(/_id$/, '')))
          .filter(({ key }) => !isChosen(key.replace(/_id$/, '')))
          .map(({ key }) => `${place.where}.${key}`);
      }),
  },
  {
    code: 'LINES',
    promise: 'a group of line items is not required itself, which would keep its lines from the step',
    findings: (definition) =>
      stepsOf(definition, ['creates', 'searches'])
        .flatMap(inputFieldsOf)
        .filter(({ field }) => field.children !== undefined && field.required !== undefined)
        .map(({ where }) => where),
  },
  {
    code: 'LOOKUP',
    promise: 'a field that holds one record offers the search that finds it as a step before',
    findings: (definition) =>
      stepsOf(definition, ['creates', 'searches'])
        .flatMap(inputFieldsOf)
        .filter(
          ({ field }) => field.dynamic?.endsWith('.id.name') && !field.list && field.key !== 'search_id',
        )
        .filter(({ field }) => field.search === undefined)
        .map(({ where }) => where),
  },
];

const stepsOf = (definition: Definition, kinds: readonly string[]): Place[] =>
  visibleOperations(definition).filter((place) => kinds.includes(kindOf(place)));

/** The fields between which and what they wait for stands another one that does not wait for the same. */
function misplaced(place: Place): string[] {
  const fields = inputFieldsOf(place).map(({ field }) => field);
  return fields.flatMap(({ key, dependsOn = [] }, index) => {
    const [parent] = dependsOn;
    if (parent === undefined) return [];
    const between = fields.slice(fields.findIndex((field) => field.key === parent) + 1, index);
    const isRight = fields.slice(0, index).some((field) => field.key === parent);
    return isRight && between.every((field) => field.dependsOn?.includes(parent))
      ? []
      : [`${place.where}.${key}`];
  });
}
