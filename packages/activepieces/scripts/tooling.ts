// The platform's framework and what lints pieces weigh 80 MB, so they are fetched when somebody builds the piece.
import { join } from 'node:path';
import { cachedInstall } from '@dealkeep/tooling';

export const packageFolder = join(import.meta.dirname, '..');

/** The newest framework that is published; with it come the common actions and what lints pieces. */
export const frameworkVersion = '0.32.0';

/** Installs the framework once and returns the folder that holds its `node_modules`. */
export const installTooling = (): Promise<string> => cachedInstall(`activepieces-${frameworkVersion}`);
