// The arrows of the house: `npm run arrows` refuses those that the rules of `.dependency-cruiser.cjs` do not allow
// and rooms of core that stand in a circle, proves that it refuses both, and that CONTRIBUTING.md draws the floors
// of core as they are; `-- --write` draws them.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cachedInstall } from './cached-install.ts';
import { type CruisedModule, circleOfRooms } from './circle-of-rooms.ts';
import { drawnFloors, withFloors } from './drawn-floors.ts';

// dependency-cruiser reads TypeScript with a compiler older than the one that this repository is checked with.
const folder = await cachedInstall('dependency-cruiser-18.7.2');
const program = join(folder, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
const root = resolve(import.meta.dirname, '../../..');

const cruise = (cwd: string, more: readonly string[]) =>
  spawnSync(
    process.execPath,
    [program, '--config', join(root, '.dependency-cruiser.cjs'), 'packages', ...more],
    { cwd, encoding: 'utf8', maxBuffer: Infinity },
  );

/** Files that break one rule each, by its name. */
const breaks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core-floor-change': {
    'change/verb/verb.ts': "import '../../records/leads/record.ts';",
    'records/leads/record.ts': '',
  },
  'core-top': {
    'core.ts': '',
    'installation/backup/take-backup.ts': "import '../../core.ts';",
  },
  'core-floors-only': {
    'elsewhere/extra.ts': "import '../foundations/clock.ts';",
    'foundations/clock.ts': '',
  },
};

/** Rooms that stand in a circle, though no files do: of types alone, through folders of a room. */
const circle = {
  'delivering/deliveries/lease/lease.ts':
    "import type { Lock } from '../../webhooks/locks.ts'; export type Lease = Lock;",
  'delivering/deliveries/send/send.ts': 'export type Sent = string;',
  'delivering/webhooks/locks.ts': 'export type Lock = string;',
  'delivering/webhooks/test.ts':
    "import type { Sent } from '../deliveries/send/send.ts'; export type Tested = Sent;",
};

interface Cruised {
  readonly summary: { readonly violations: readonly { readonly rule: { readonly name: string } }[] };
  readonly modules: readonly CruisedModule[];
}

const cruised = (cwd: string): Cruised =>
  JSON.parse(cruise(cwd, ['--include-only', '^packages/core/src', '--output-type', 'json']).stdout);

/** What is found of such files. */
async function cruisedFiles(files: Readonly<Record<string, string>>): Promise<Cruised> {
  const house = await mkdtemp(join(tmpdir(), 'arrows-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      const path = join(house, 'packages/core/src', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text || 'export const nothing = 0;\n');
    }
    return cruised(house);
  } finally {
    await rm(house, { recursive: true });
  }
}

const refuse = (text: string): void => {
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
};

const real = cruise(root, ['apps', ...process.argv.slice(2).filter((each) => each !== '--write')]);
process.stdout.write(real.stdout);
process.stderr.write(real.stderr);
process.exitCode = real.status ?? 1;

const rooms = circleOfRooms(cruised(root).modules);
if (rooms) refuse(`Rooms of core stand in a circle: ${rooms.join(' → ')}`);

for (const [rule, files] of Object.entries(breaks)) {
  const { summary } = await cruisedFiles(files);
  const broken = new Set(summary.violations.map(({ rule: { name } }) => name));
  if (broken.size === 1 && broken.has(rule)) continue;
  refuse(`Files made to break ${rule} break: ${[...broken].join(', ') || 'nothing'}`);
}
const { summary, modules } = await cruisedFiles(circle);
if (summary.violations.length > 0 || circleOfRooms(modules)?.length !== 3) {
  refuse('Two rooms made to stand in a circle were not found');
}

const page = join(root, 'CONTRIBUTING.md');
const text = await readFile(page, 'utf8');
const drawn = withFloors(text, await drawnFloors(join(root, 'packages/core')));
if (drawn !== text && process.argv.includes('--write')) await writeFile(page, drawn);
else if (drawn !== text) {
  process.stderr.write(
    'CONTRIBUTING.md draws other floors of core than there are: npm run arrows -- --write\n',
  );
  process.exitCode = 1;
}
