import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toolsFolder, unlockedTools } from '../src/cached-install.ts';

interface Manifest {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

interface LockFile {
  packages: Record<string, { version?: string; integrity?: string; resolved?: string; optional?: boolean }>;
}

const tools = await readdir(toolsFolder);

test('only what benchmarks and soaks are started with by hand comes without a lock file', () => {
  const unlocked = tools.filter((name) => !existsSync(join(toolsFolder, name, 'package-lock.json')));
  expect(unlocked.sort()).toEqual(unlockedTools);
});

describe.each(unlockedTools)('the tool %s, which has no lock file', async (name) => {
  test('has an exact version, and runs no script on installation', async () => {
    const { dependencies = {} }: Manifest = JSON.parse(
      await readFile(join(toolsFolder, name, 'package.json'), 'utf8'),
    );
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await readFile(join(toolsFolder, name, '.npmrc'), 'utf8')).toContain('ignore-scripts=true\n');
  });
});

describe.each(tools.filter((name) => !unlockedTools.includes(name)))(
  'the tool %s, which is fetched on demand',
  async (name) => {
    const read = async (file: string): Promise<string> => readFile(join(toolsFolder, name, file), 'utf8');
    const { dependencies, optionalDependencies }: Manifest = JSON.parse(await read('package.json'));
    const { packages }: LockFile = JSON.parse(await read('package-lock.json'));

    test('comes in the versions of its lock file, each by its hash, from whatever registry is set', () => {
      const wanted = Object.entries({ ...dependencies, ...optionalDependencies });
      expect(wanted.length).toBeGreaterThan(0);
      for (const [dependency, version] of wanted) {
        expect(packages[`node_modules/${dependency}`]?.version, dependency).toBe(version);
      }
      const { '': root, ...fetched } = packages;
      expect(root).toBeDefined();
      for (const [path, { version, integrity, resolved, optional }] of Object.entries(fetched)) {
        expect(version, path).toMatch(/^\d/);
        expect(resolved, path).toBeUndefined();
        // One that the registry at hand does not have is for another platform.
        if (!optional) expect(integrity, path).toMatch(/^sha512-/);
      }
    });

    test('runs no script on installation', async () => {
      expect(await read('.npmrc')).toContain('ignore-scripts=true\n');
    });
  },
);
