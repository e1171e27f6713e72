import type { FieldError } from '@dealkeep/contract';
import type { HttpResponse, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import type { FormField } from '../forms/form-field.ts';
import { isApiRecord, valueAt } from '../records/api-record.ts';
import type { Call } from './call-api.ts';
import { retryAfterOf } from './retry-after.ts';

const secondsUntilNextWindow = 60;

/**
 * The platform's error for an answer that is no success: the API's own message, with the labels of the failing fields.
 * 401 asks to reconnect, 429 and 503 let Zapier run the step again later, a conflict stops the step without an alarm.
 */
export function refusal(
  variant: AuthenticationVariant,
  z: ZObject,
  response: HttpResponse<unknown>,
  call: Call,
): Error {
  const code = textAt(response.data, ['error', 'code']) ?? 'UNKNOWN';
  const message = messageOf(response, call);
  if (response.status === 401) return variant.refused(z, message);
  if (response.status === 429 || response.status === 503) {
    return new z.errors.ThrottledError(message, retryAfterOf(response) ?? secondsUntilNextWindow);
  }
  if (code === 'CONFLICT') return new z.errors.HaltedError(message);
  return new z.errors.Error(message, code, response.status);
}

function messageOf(response: HttpResponse<unknown>, { fields = [], subject }: Call): string {
  const message = textAt(response.data, ['error', 'message']);
  if (message === undefined) {
    return 'The service gave an answer that is not understood. Check the address of the connection.';
  }
  const failing = valueAt(response.data, ['error', 'detail', 'fields']);
  if (Array.isArray(failing) && failing.length > 0) {
    return failing
      .filter(isFieldError)
      .map((each) => `${labelOf(each.path, fields)}: ${adviceFor(each, fields)}`)
      .join(' ');
  }
  if (response.status === 404 && subject) return `${subject}: ${message} ${chooseAnother}`;
  const parameter = textAt(response.data, ['error', 'detail', 'parameter']);
  return parameter === undefined
    ? message
    : message.replaceAll(`"${parameter}"`, `"${labelOf(parameter, fields)}"`);
}

const chooseAnother = 'It may have been deleted: choose another one.';

/** The API's message, with what to do about a record that was to be chosen, and labels for the names of fields. */
function adviceFor({ path, code, message }: FieldError, fields: readonly FormField[]): string {
  const all = [...fields, ...fields.flatMap((field) => field.children ?? [])];
  const isChosen = all.some(({ reference, path: own }) => reference && path.endsWith(own.join('.')));
  if (isChosen && code === 'invalid_uuid')
    return 'Choose it from the list, or map an ID from an earlier step.';
  if (isChosen && code === 'not_found') return `${message} ${chooseAnother}`;
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

const isFieldError = (value: unknown): value is FieldError =>
  isApiRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';

/** `items[0].unit_price` is `Items 1, Unit Price`; a path that no field has stays as it is. */
function labelOf(path: string, fields: readonly FormField[]): string {
  const [, list = '', line = '', rest = ''] = path.match(/^(.+?)\[(\d+)\]\.(.+)$/) ?? [];
  const items = fields.find((field) => field.children && field.path.join('.') === list);
  if (items) return `${items.label} ${Number(line) + 1}, ${labelOf(rest, items.children ?? [])}`;
  const plain = path.replaceAll(/\[\d+\]/g, '');
  const field = fields.find((each) => each.path.join('.') === plain);
  return field?.label ?? labelOfParts(plain, fields) ?? path;
}

/** What is wrong with an object as a whole is told of its group: `company` is `Company`. */
function labelOfParts(path: string, fields: readonly FormField[]): string | undefined {
  const part = fields.find((field) => field.path.join('.').startsWith(`${path}.`));
  return part?.jsonAt ? part.label.slice(0, part.label.lastIndexOf(' ')) : part?.group?.label;
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}
