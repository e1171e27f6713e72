import { type FormField, isApiRecord } from '@dealkeep/connectors';

type Values = Readonly<Record<string, unknown>>;

/** What was filled in, by the keys of the form. */
export const inputOf = (propsValue: Values, fields: readonly FormField[]): Record<string, unknown> =>
  opened(
    propsValue,
    fields.filter(isOpened).map(({ key }) => key),
  );

/** Properties that a step finds out when it is opened stand in an object of their own; here they stand beside the others. */
export function opened(propsValue: Values, keys: readonly string[]): Record<string, unknown> {
  const plain = Object.entries(propsValue).filter(([key]) => !keys.includes(key));
  const inner = keys.map((key) => propsValue[key]).filter(isApiRecord);
  return Object.assign(Object.fromEntries(plain), ...inner);
}

/** True for fields whose properties a step finds out when it is opened. */
export const isOpened = ({ keysOf, children = [] }: FormField): boolean =>
  keysOf !== undefined || children.some(({ reference }) => reference);
