// The platform's command line and Zapier's Node weigh some 380 MB together, so they come on demand.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedInstall } from '@dealkeep/tooling';

export const platformVersion = '19.1.0';
/** The newest of the line that Zapier runs integrations on. */
const node22Version = '22.23.3';

/**
 * The folder where Zapier's command line is installed. Its manifest holds `get-intrinsic` at 1.3.0: later ones
 * require a file that the platform's tracing of dependencies does not find, and no build succeeds.
 */
export function commandLineFolder(): Promise<string> {
  return cachedInstall(`zapier-platform-cli-${platformVersion}`);
}

/** The folder that holds the platform's core and what it needs to run, nothing else. */
export function coreFolder(): Promise<string> {
  return cachedInstall(`zapier-platform-core-${platformVersion}`);
}

/** The executable of the Node that Zapier runs integrations on. */
export async function node22(): Promise<string> {
  const folder = await cachedInstall(`node-${node22Version}`);
  return join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin', 'node');
}

interface Zip {
  getEntries(): readonly ZipEntry[];
  extractAllTo(folder: string): void;
}

export interface ZipEntry {
  readonly entryName: string;
  /** The upper half holds the Unix mode. */
  readonly attr: number;
  readonly header: { readonly compressedSize: number };
}

/** Opens a zip with the library that the platform's command line brings. */
export async function openZip(path: string): Promise<Zip> {
  const load = createRequire(join(await commandLineFolder(), 'package.json'));
  const AdmZip: new (path: string) => Zip = load('adm-zip');
  return new AdmZip(path);
}
