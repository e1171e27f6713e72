/**
 * The keys of an output as Zapier offers them for mapping; what stands in lists or under free names is not followed.
 */
export function keysOf(value: unknown, prefix = ''): string[] {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || /(^|__)custom_fields$/.test(prefix)) return [prefix];
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, prefix ? `${prefix}__${key}` : key));
}
