import type { Field } from './tables.ts';

/** A field of a body, or a filter of a list: n8n names it as the API does, but in camelCase. */
export const field = (
  name: string,
  label: string,
  kind: Field['kind'],
  more: Partial<Field> = {},
): Field => ({
  name,
  parameter: name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  label,
  kind,
  ...more,
});
