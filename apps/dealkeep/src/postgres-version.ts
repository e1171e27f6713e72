import { ConfigurationError } from './configuration-error.ts';

const oldest = 15;

/** Raises ConfigurationError for a major version that Dealkeep's statements do not run on. */
export function checkPostgresVersion(major: number): void {
  if (major >= oldest) return;
  throw new ConfigurationError(
    'DATABASE_URL',
    `takes the address of a PostgreSQL ${oldest} or newer, and this one leads to PostgreSQL ${major}`,
  );
}
