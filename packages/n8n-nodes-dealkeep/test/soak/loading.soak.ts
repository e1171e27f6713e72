import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '@dealkeep/tooling';
import { expect, inject, test } from 'vitest';
import { tarballPath } from '../../scripts/tarball-path.ts';

const limit = 50;

/** Loads a community package as n8n does when it starts, and prints the CPU time of that in milliseconds. */
const loader = `
  require('reflect-metadata');
  const { PackageDirectoryLoader } = require('n8n-core');
  const directory = new PackageDirectoryLoader(process.argv[1]);
  const before = process.cpuUsage();
  directory.loadAll().then(() => {
    const { user, system } = process.cpuUsage(before);
    if (Object.keys(directory.types.nodes).length === 0) throw new Error('Nothing was loaded');
    process.stdout.write(String((user + system) / 1000));
  });
`;

test('loading the package adds at most 50 ms to the start of n8n', async () => {
  const { installation } = inject('n8n');
  const folder = await mkdtemp(join(tmpdir(), 'n8n-package-'));
  try {
    await run('tar', ['-xzf', await tarballPath(), '-C', folder, '--strip-components=1'], folder);
    const times: number[] = [];
    for (let round = 0; round < 9; round++) {
      const options = {
        cwd: installation,
        env: { ...process.env, NODE_PATH: join(installation, 'node_modules') },
      };
      const { stdout } = await promisify(execFile)(process.execPath, ['-e', loader, folder], options);
      times.push(Number(stdout.trim().split('\n').at(-1)));
    }
    times.sort((one, other) => one - other);
    const [least = 0, median = 0] = [times[0], times[4]];
    console.log(
      `Loading takes ${median.toFixed(1)} ms of CPU time (median of 9; least ${least.toFixed(1)} ms)`,
    );
    expect(median).toBeLessThanOrEqual(limit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
