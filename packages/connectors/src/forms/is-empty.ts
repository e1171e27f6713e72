/** True for a box that nobody filled in, and for what an earlier step left empty. */
export const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** True also for what holds nothing that can be seen: blanks, a list or an object of such values. */
export function isBlank(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isBlank);
  return isEmpty(value);
}
