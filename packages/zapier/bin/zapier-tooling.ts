// The platform's command line and Zapier's Node weigh some 380 MB together, so they come on demand.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { cachedInstall } from '@dealkeep/tooling';

export const platformVersion = '19.1.0';
/** The newest of the line that Zapier runs integrations on. */
const node22Version = '22.23.3';
// Later ones require a file that the platform's tracing of dependencies does not find, and no build succeeds.
const overrides = { 'get-intrinsic': '1.3.0' };

/** The folder where Zapier's command line is installed. */
export function commandLineFolder(): Promise<string> {
  return cachedInstall({
    name: `zapier-platform-cli-${platformVersion}`,
    dependencies: { 'zapier-platform-cli': platformVersion, 'zapier-platform-core': platformVersion },
    overrides,
  });
}

/** The folder that holds the platform's core and what it needs to run, nothing else. */
export function coreFolder(): Promise<string> {
  return cachedInstall({
    name: `zapier-platform-core-${platformVersion}`,
    dependencies: { 'zapier-platform-core': platformVersion },
    // form-data asks for an older one, which would come with a second copy of its table.
    overrides: { ...overrides, 'mime-types': '3.0.1' },
    flags: ['--omit=optional', '--no-package-lock'],
  });
}

/** The executable of the Node that Zapier runs integrations on. */
export async function node22(): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const folder = await cachedInstall({
    name: `node-${node22Version}`,
    dependencies: { [name]: node22Version },
    flags: ['--force'],
  });
  return join(folder, 'node_modules', name, 'bin', 'node');
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
