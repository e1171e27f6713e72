/** Far longer than any name there is. */
export const longestTimeZone = 100;

/**
 * A named zone, such as `Europe/Bratislava`. Offsets are refused: JavaScript and PostgreSQL read their signs in
 * opposite ways.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > longestTimeZone) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
