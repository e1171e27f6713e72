/** The address of another database on the same server. */
export function databaseUrl(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = database;
  return url.href;
}

/** The role that the program has in tests. */
export const programRole = 'program';

/**
 * The address of the same database for the role that the program has: it reads and writes rows, and alters nothing.
 */
export function programUrl(owner: string): string {
  const url = new URL(owner);
  url.username = programRole;
  url.password = 'password-of-the-tests';
  return url.href;
}
