import { type ApiFieldError, apiErrorIn, valueAt } from '@dealkeep/client/transport';
import type { FormField } from '../forms/form-field.ts';

/** The field of a form that an error is about. */
interface FailingField {
  /** As the person sees it: `Items 1, Unit Price`. */
  readonly label: string;
  /** A record is chosen in it. */
  readonly isChosen?: boolean;
  /** The error is about another field, which is not offered; this one is asked for instead. */
  readonly isMissing?: boolean;
}

/** Finds the field that stands for a path of the API: `items[0].unit_price`, `company.email`, `stage_id`. */
function failingField(path: string, fields: readonly FormField[]): FailingField {
  const [, list = '', line = '', rest = ''] = path.match(/^(.+?)\[(\d+)\]\.(.+)$/) ?? [];
  const items = fields.find((field) => field.children && field.path.join('.') === list);
  if (items) {
    const inner = failingField(rest, items.children ?? []);
    return { ...inner, label: `${items.label} ${Number(line) + 1}, ${inner.label}` };
  }
  const plain = path.replaceAll(/\[\d+\]/g, '').replace(/^(\w+)\[(.+)\]$/, '$1.$2');
  const field = fields.find((each) => each.path.join('.') === plain);
  if (field) return { label: field.label, isChosen: field.reference !== undefined };
  const instead = fields.find((each) => each.insteadOf?.join('.') === plain);
  if (instead) return { label: instead.label, isMissing: true };
  return { label: labelOfParts(plain, fields) ?? titleOf(plain) };
}

/** What is wrong with an object as a whole is told of its group: `company` is `Company`. */
function labelOfParts(path: string, fields: readonly FormField[]): string | undefined {
  const part = fields.find((field) => field.path.join('.').startsWith(`${path}.`));
  return part?.jsonAt ? part.label.slice(0, part.label.lastIndexOf(' ')) : part?.group?.label;
}

/** A path that no field has, such as that of a list's parent: `company_id` is `Company`. */
const titleOf = (path: string): string =>
  path
    .replace(/_(id|uuid)$/, '')
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** What somebody filled in, so that a failure is told in those words. */
export interface AskedFor {
  /** The form that the values came from: an error about a value names its field as the person sees it. */
  readonly fields?: readonly FormField[];
  /** The field that chose the record of the path: one that is gone is told by its label. */
  readonly subject?: string;
}

/**
 * What the API says of a failure, in the words of the form: fields by their labels, and of records that are not
 * there (any more) what to do. Undefined when the answer is not the API's.
 */
export function describeFailure(
  { status, content }: { readonly status: number; readonly content: unknown },
  { fields = [], subject }: AskedFor,
): string | undefined {
  const error = apiErrorIn(content);
  if (!error) return undefined;
  const { message, detail } = error;
  if (error.fields.length > 0) return error.fields.map((each) => describeField(each, fields)).join(' ');
  if (status === 404 && subject) return `${subject}: ${message} ${chooseAnother}`;
  const path = valueAt(detail, 'parameter');
  // `The parameter "stage_id" is not valid: This is not an id (UUID).`
  const reason = /^[^:]*"[^":]*"[^":]*: (.+)$/.exec(message)?.[1];
  if (typeof path !== 'string' || path === '' || reason === undefined) return message;
  return describeField({ path, code: 'invalid', message: reason }, fields);
}

export const chooseFromList = 'Choose it from the list, or map an ID from an earlier step.';
const chooseAnother = 'It may have been deleted: choose another one.';

/** The API's message, with what to do about a record that was to be chosen, and labels for the names of fields. */
function describeField({ path, code, message }: ApiFieldError, fields: readonly FormField[]): string {
  const { label, isChosen, isMissing } = failingField(path, fields);
  if (isMissing) return `${label}: This field is required.`;
  if (isChosen && code === 'not_found') return `${label}: ${message} ${chooseAnother}`;
  if (isChosen && code.startsWith('invalid')) return `${label}: ${chooseFromList}`;
  return `${label}: ${withLabels(message, fields)}`;
}

/** `Say which product this is: send product_uuid or sku.` */
function withLabels(message: string, fields: readonly FormField[]): string {
  const all = [...fields, ...fields.flatMap((field) => field.children ?? [])];
  return message.replace(/\bsend (either )?(\w+) or (\w+)/i, (_, either = '', one: string, other: string) => {
    const [first, second] = [one, other].map((name) => labelOfName(name, all));
    return `fill in ${either}${first} or ${second}`;
  });
}

/** Names in messages stand alone: `company` is the group that begins with the field Company Name. */
function labelOfName(name: string, fields: readonly FormField[]): string {
  const named =
    fields.find(({ path }) => path.at(-1) === name) ?? fields.find(({ path }) => path[0] === name);
  return named?.label ?? name;
}
