import { type FormField, type HandWritten, isApiRecord, isEmpty } from '@dealkeep/connectors';

type Values = Readonly<Record<string, unknown>>;

/** What was filled in, by the keys of the form. */
export const inputOf = (propsValue: Values, fields: readonly FormField[]): Record<string, unknown> =>
  opened(
    propsValue,
    fields.filter(isOpened).map(({ key }) => key),
  );

/**
 * The platform makes a list of a text that was written where several are chosen; other lists were chosen or mapped.
 */
export const handWritten: HandWritten = 'one text alone';

/** What was filled in of it. The platform hands over every property, also those that nobody touched. */
export const filledInputOf = (propsValue: Values, fields: readonly FormField[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(inputOf(propsValue, fields)).filter(([, value]) => !isUntouched(value)));

const isUntouched = (value: unknown): boolean =>
  isEmpty(value) || (Array.isArray(value) && value.length === 0);

/**
 * Properties that a step finds out when it is opened stand in an object of their own; here they stand beside the
 * others.
 */
export function opened(propsValue: Values, keys: readonly string[]): Record<string, unknown> {
  const plain = Object.entries(propsValue).filter(([key]) => !keys.includes(key));
  const inner = keys.map((key) => propsValue[key]).filter(isApiRecord);
  return Object.assign(Object.fromEntries(plain), ...inner);
}

/** True for fields whose properties a step finds out when it is opened. */
export const isOpened = ({ keysOf, children = [] }: FormField): boolean =>
  keysOf !== undefined || children.some(({ reference }) => reference);
