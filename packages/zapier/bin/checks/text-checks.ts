import type { Check } from './check.ts';
import { type Definition, inputFieldsOf, kindOf, visibleOperations, wheresOf } from './definition.ts';

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

/** How the description of each kind of step begins, by Zapier's style guide. */
const beginnings: Readonly<Record<string, RegExp>> = {
  triggers: /^Triggers when /,
  creates: /^[A-Z][a-z]+s /,
  searches: /^Finds /,
};
/** Records of money, in keys of steps. */
const aboutMoney = /(^|_)(invoice|order)$/;

export const textChecks: readonly Check[] = [
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
      wheresOf(
        visibleOperations(definition).filter(
          (place) =>
            kindOf(place) === 'triggers' &&
            !/^Triggers when .+\.$/.test(place.operation.display.description ?? ''),
        ),
      ),
  },
  {
    // Not a code of Zapier's, but a rule of its style guide.
    code: 'STYLE',
    promise: 'a description is a sentence that begins with what the step does, and so is a help text',
    findings: (definition) => [
      ...wheresOf(
        visibleOperations(definition).filter((place) => {
          const description = place.operation.display.description ?? '';
          return !beginnings[kindOf(place)]?.test(description) || !isSentence(description);
        }),
      ),
      ...Object.entries(definition.searchOrCreates)
        .filter(([, { display }]) => !isSentence(display.description ?? ''))
        .map(([key]) => `searchOrCreates.${key}`),
      ...visibleOperations(definition)
        .flatMap(inputFieldsOf)
        .filter(({ field }) => field.helpText !== undefined && !isSentence(field.helpText))
        .map(({ where }) => where),
    ],
  },
  {
    // Not a code either: Zapier's policy forbids an integration to move money.
    code: 'MONEY',
    promise: 'what records money says that none is moved',
    findings: (definition) =>
      wheresOf(
        visibleOperations(definition).filter(
          (place) =>
            kindOf(place) === 'creates' &&
            aboutMoney.test(place.where) &&
            !place.operation.display.description?.includes('no money is moved'),
        ),
      ),
  },
];

const isSentence = (text: string): boolean => /^\P{Ll}.*[.?!)]$/su.test(text);

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
