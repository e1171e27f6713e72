import type { Check } from './check.ts';
import { type Definition, type InputField, inputFieldsOf, operationsOf } from './definition.ts';

/** In keys of fields and in labels of connections. */
export const secretKey = /(^|[^a-z])(api_?key|token|secret|password|passwd|jwt)([^a-z]|$)/i;
/** Numbers of the world outside: people know them, no record has them as its id. */
const outsideIds = /(^|__|^search_)(registration|tax|vat|external)_id$/;
const idKey = /(^|_)(id|ids|uuid|uuids)$/;

const allFields = (definition: Definition) => operationsOf(definition).flatMap(inputFieldsOf);

const placesOf = (definition: Definition, isWrong: (field: InputField) => boolean): string[] =>
  allFields(definition)
    .filter(({ field }) => isWrong(field))
    .map(({ where }) => where);

const triggerOf = (field: InputField) => field.dynamic?.split('.')[0];
const searchOf = (field: InputField) => field.search?.split('.')[0];
const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export const fieldChecks: readonly Check[] = [
  {
    code: 'D001',
    promise: 'secrets are asked for in the connection, never in a step',
    findings: (definition) => placesOf(definition, ({ key }) => secretKey.test(key)),
  },
  {
    code: 'D002',
    promise: 'the help of a pasted credential links to where it is found',
    findings: ({ authentication }) =>
      authentication.fields
        .filter(
          ({ type, helpText }) => type === 'password' && !/\[[^\]]+\]\(https:[^)]+\)/.test(helpText ?? ''),
        )
        .map(({ key }) => `authentication.${key}`),
  },
  {
    code: 'D004',
    promise: 'a record is chosen from a dropdown, its id is never typed',
    findings: (definition) =>
      placesOf(
        definition,
        ({ key, dynamic }) => idKey.test(key) && !outsideIds.test(key) && dynamic === undefined,
      ),
  },
  {
    code: 'D005',
    promise: 'a dropdown is filled by a trigger that exists',
    findings: (definition) =>
      placesOf(definition, (field) => {
        const trigger = triggerOf(field);
        return trigger !== undefined && !(trigger in definition.triggers);
      }),
  },
  {
    code: 'D011',
    promise: 'a help text says more than the label',
    findings: (definition) =>
      placesOf(
        definition,
        ({ label, helpText }) =>
          label !== undefined && helpText !== undefined && plain(label) === plain(helpText),
      ),
  },
  {
    code: 'D013',
    promise: 'a field that a search can fill names a search that exists',
    findings: (definition) =>
      placesOf(definition, (field) => {
        const search = searchOf(field);
        return search !== undefined && !(search in definition.searches);
      }),
  },
  {
    code: 'D014',
    promise: 'a field that a search can fill holds one text or number',
    findings: (definition) =>
      placesOf(
        definition,
        ({ search, type = 'string', ...field }) =>
          search !== undefined &&
          (field.list === true ||
            field.dict === true ||
            'children' in field ||
            !['string', 'number', 'integer'].includes(type)),
      ),
  },
];
