import type { Statements } from '../database/connect.ts';
import { type Directory, readDirectory } from './directory.ts';

const mostOrganizations = 1000;

/**
 * Directories by organization. Never stale: every statement that reads records also reads the organization's
 * `directory_version`, and a directory of another version is read again.
 */
export class DirectoryCache {
  readonly #directories = new Map<string, Directory>();

  /** The directory at a version that a statement has just seen, or a newer one. */
  async at(sql: Statements, organization: string, version: number): Promise<Directory> {
    const known = this.#directories.get(organization);
    if (known && known.version >= version) return known;
    const directory = await readDirectory(sql, organization);
    this.#directories.delete(organization);
    this.#directories.set(organization, directory);
    const [oldest] = this.#directories.keys();
    if (this.#directories.size > mostOrganizations && oldest !== undefined) this.#directories.delete(oldest);
    return directory;
  }

  /** What was last known, if anything. */
  known(organization: string): Directory | undefined {
    return this.#directories.get(organization);
  }

  /** The current directory. */
  async current(sql: Statements, organization: string): Promise<Directory> {
    const [row] = await sql<{ directory_version: number }[]>`
      select directory_version from organizations where id = ${organization}`;
    if (!row) throw new Error(`There is no organization ${organization}`);
    return this.at(sql, organization, row.directory_version);
  }
}
