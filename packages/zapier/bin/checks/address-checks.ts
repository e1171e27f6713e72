import type { Check } from './check.ts';
import { type Definition, inputFieldsOf, operationsOf } from './definition.ts';

export const addressChecks: readonly Check[] = [
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
    code: 'D025',
    promise: 'no address runs a program when it is opened',
    findings: (definition) =>
      [...JSON.stringify(definition).matchAll(/\b(?:javascript|vbscript):|\bdata:\w+\/\w+/gi)].map(
        ([url]) => url,
      ),
  },
];

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
