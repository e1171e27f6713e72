import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';

const repository = join(import.meta.dirname, '..', '..', '..');

const Step = z.strictObject({
  name: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  'working-directory': z.string().optional(),
});
const Permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const Workflow = z.strictObject({
  name: z.string(),
  on: z.looseObject({}),
  permissions: Permissions,
  concurrency: z.strictObject({
    group: z.string(),
    'cancel-in-progress': z.union([z.boolean(), z.string()]),
  }),
  jobs: z.record(
    z.string(),
    z.strictObject({
      'runs-on': z.literal('ubuntu-24.04'),
      // Debian, as .ci/run expects it: the packages of other systems are others.
      container: z.stringFormat('image', /^node:\d+-bookworm$/),
      'timeout-minutes': z.number(),
      environment: z.string().optional(),
      permissions: Permissions.optional(),
      steps: z.array(Step).min(1),
    }),
  ),
});

const folder = join(repository, '.github', 'workflows');
const files = (await readdir(folder)).sort();
const readWorkflow = async (path: string) =>
  Workflow.parse(parse(await readFile(join(folder, path), 'utf8'), { version: '1.2' }));

test('there is one for the tests and one for each connector', () => {
  expect(files).toEqual(['ci.yml', 'publish-n8n.yml', 'publish-zapier.yml']);
});

describe.each(files)('%s', async (path) => {
  const { permissions, jobs, on } = await readWorkflow(path);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('may read the repository and nothing else, but for what a job says', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const more = Object.values(jobs).map((job) => job.permissions ?? permissions);
    const publishesToNpm = path.endsWith('publish-n8n.yml');
    expect(more).toEqual([{ contents: 'read', ...(publishesToNpm ? { 'id-token': 'write' } : {}) }]);
  });

  test('takes actions of GitHub alone, each by the hash of its commit', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) expect(action).toMatch(/^actions\/checkout@[0-9a-f]{40}$/);
  });

  test('keeps no credentials of the checkout', () => {
    const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkout?.with).toMatchObject({ 'persist-credentials': false });
  });

  test('puts nothing that others can choose into a command', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  test('runs scripts that exist', async () => {
    const root = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
    for (const { run = '' } of steps) {
      for (const [, script = '', workspace] of run.matchAll(/npm run (\S+)(?: --workspace (\S+))?/g)) {
        const inside = `packages/${workspace?.replace('@dealkeep/', '')}`;
        const scripts = workspace
          ? JSON.parse(await readFile(join(repository, inside, 'package.json'), 'utf8')).scripts
          : root.scripts;
        expect(Object.keys(scripts)).toContain(script);
      }
      if (run === '.ci/run') await access(join(repository, run));
    }
  });

  test('publishes for a tag of its own, and from there only', () => {
    const tags = { 'publish-n8n.yml': ['n8n-v*'], 'publish-zapier.yml': ['zapier-v*'] };
    const own = Object.entries(tags).find(([name]) => path.endsWith(name))?.[1];
    expect(on).toEqual(own ? { push: { tags: own } } : { push: { branches: ['main'] }, pull_request: null });
  });
});
