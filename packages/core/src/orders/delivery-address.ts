const keys = ['street', 'city', 'postal_code', 'country'] as const;
type Address = Record<(typeof keys)[number], string | null>;

/**
 * A delivery address as the API always shows it: a JSON text of four keys. A JSON object that holds any of them is
 * kept without its other keys; any other text becomes the street (decisions, section 4).
 */
export function deliveryAddress(text: string): string {
  const given = jsonObject(text);
  const address: Address = { street: null, city: null, postal_code: null, country: null };
  if (given && keys.some((key) => Object.hasOwn(given, key))) {
    for (const key of keys) address[key] = asText(Object.hasOwn(given, key) ? given[key] : null);
  } else {
    address.street = text;
  }
  return JSON.stringify(address);
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A postal code is often written as a number. */
function asText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}
