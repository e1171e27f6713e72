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
      container: z.stringFormat('image', /^node:[\d.]+-bookworm@sha256:[0-9a-f]{64}$/),
      needs: z.string().optional(),
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
    const more = Object.values(jobs).flatMap((job) => (job.permissions ? [job.permissions] : []));
    expect(more).toEqual(path === 'publish-n8n.yml' ? [{ 'id-token': 'write' }] : []);
  });

  test('takes actions of GitHub alone, each by the hash of its commit', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) {
      expect(action).toMatch(/^actions\/(checkout|upload-artifact|download-artifact)@[0-9a-f]{40}$/);
    }
  });

  test('keeps no credentials of the checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ 'persist-credentials': false });
  });

  test('a job that may publish runs nothing that was fetched, and publishes what another has tested', () => {
    const text = (job: (typeof jobs)[string]) => JSON.stringify(job);
    const mayPublish = (job: (typeof jobs)[string]) =>
      job.environment !== undefined || job.permissions !== undefined || text(job).includes('secrets.');
    const publishing = Object.values(jobs).filter(mayPublish);
    expect(publishing).toHaveLength(path === 'ci.yml' ? 0 : 1);
    for (const job of publishing) {
      const tested = jobs[job.needs ?? ''];
      expect(tested?.steps.at(-1)?.uses).toMatch(/^actions\/upload-artifact@/);
      const handedOver = job.steps.find(({ uses }) => uses?.startsWith('actions/download-artifact@'));
      expect(handedOver?.with?.['name']).toBe(tested?.steps.at(-1)?.with?.['name']);
      for (const { run = '' } of job.steps)
        expect(run).not.toMatch(/npm (ci|i|install|run|test|exec)|npx|apt-get/);
    }
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

test('images are named by their digest, so that what runs is what was tried', async () => {
  const dockerfile = await readFile(join(repository, 'Dockerfile'), 'utf8');
  const composition = parse(await readFile(join(repository, 'docker-compose.yml'), 'utf8'), { merge: true });
  const services: { image: string; build?: string }[] = Object.values(composition.services);
  const images = [
    ...[...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    ...services.filter(({ build }) => build === undefined).map(({ image }) => image),
  ];
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/^[a-z]+:\d+\.\d+(\.\d+)?(-\w+)?@sha256:[0-9a-f]{64}$/);
});
