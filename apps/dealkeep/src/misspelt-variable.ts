import { ConfigurationError } from './configuration-error.ts';

/** Names that other programs use, although they look like ours. */
const foreign = new Set([
  'SECRET_KEY',
  'LOGLEVEL',
  'DATADIR',
  'EMAIL_FROM',
  'MAILFROM',
  'DATABASE_URI',
  'ENVIRONMENTS',
]);

/** Shorter names have too many neighbours that mean something. */
const shortest = 8;
/** In a name of at least this length two slips are still a slip. */
const long = 16;

/**
 * A variable whose name is nearly one of ours, which is not set, is taken for a slip: without this, a start with
 * DATABSE_URL would work on a database of its own. Raises ConfigurationError with the right spelling.
 *
 * @param names of all variables that the configuration has
 */
export function refuseMisspelt(
  variables: Readonly<Record<string, string | undefined>>,
  names: ReadonlySet<string>,
): void {
  const missing = [...names].filter((name) => name.length >= shortest && !variables[name]);
  for (const [given, value] of Object.entries(variables)) {
    if (!value || names.has(given) || foreign.has(given)) continue;
    const spelt = given.toUpperCase().replaceAll(/[-.]/g, '_');
    const meant = missing.find((name) => slips(spelt, name) <= (name.length >= long ? 2 : 1));
    if (meant) throw new ConfigurationError(given, `is no variable of Dealkeep; ${meant} is`);
  }
}

/** Letters left out, put in, exchanged, or changed with their neighbour (optimal string alignment); 3 for more. */
function slips(given: string, name: string): number {
  if (Math.abs(given.length - name.length) > 2) return 3;
  let [before, last]: [number[], number[]] = [[], Array.from({ length: name.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= given.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= name.length; column += 1) {
      const same = given[row - 1] === name[column - 1];
      const turned = given[row - 1] === name[column - 2] && given[row - 2] === name[column - 1];
      line[column] = Math.min(
        at(line, column - 1) + 1,
        at(last, column) + 1,
        at(last, column - 1) + (same ? 0 : 1),
        turned ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, line];
  }
  return at(last, name.length);
}

const at = (line: readonly number[], column: number): number => line[column] ?? Number.POSITIVE_INFINITY;
