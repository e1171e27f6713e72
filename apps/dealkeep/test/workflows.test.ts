import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { variableNames } from '../src/configuration.ts';

const repository = join(import.meta.dirname, '..', '..', '..');

const Step = z.strictObject({
  name: z.string().optional(),
  id: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
  'working-directory': z.string().optional(),
});
// Debian, as .ci/run expects it: the packages of other systems are others.
const Image = z.stringFormat('image', /^node:[\d.]+-bookworm@sha256:[0-9a-f]{64}$/);
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
      'runs-on': z.stringFormat('machine', /^(ubuntu-24\.04|\$\{\{ matrix\.machine \}\})$/),
      container: z.union([Image, z.strictObject({ image: Image, options: z.string() })]).optional(),
      strategy: z.strictObject({ matrix: z.looseObject({}) }).optional(),
      env: z.record(z.string(), z.string()).optional(),
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

test('the tests have the commits of all versions, whose programs are run beside these ones', async () => {
  const { jobs } = await readWorkflow('ci.yml');
  expect(jobs['ci']?.steps[0]?.with).toMatchObject({ 'fetch-depth': 0 });
});

test('there is one for the tests, one for the documents, one for the product and one for each package with a version of its own', () => {
  expect(files).toEqual(['ci.yml', 'documents.yml', 'publish-n8n.yml', 'publish-zapier.yml', 'release.yml']);
});

/** What jobs may do beyond reading, each for what it publishes. */
const permitted: Readonly<Record<string, readonly z.infer<typeof Permissions>[]>> = {
  'documents.yml': [{ pages: 'write', 'id-token': 'write' }],
  'publish-n8n.yml': [{ 'id-token': 'write' }],
  'release.yml': [
    { packages: 'write', 'id-token': 'write', attestations: 'write' },
    { 'id-token': 'write' },
    { contents: 'write', 'id-token': 'write', attestations: 'write' },
  ],
};

/** The tags that make a workflow publish. */
const tags: Readonly<Record<string, string>> = {
  'publish-n8n.yml': 'n8n-v*',
  'publish-zapier.yml': 'zapier-v*',
  'release.yml': 'v[0-9]*',
};

describe.each(files)('%s', async (path) => {
  const { permissions, jobs, on } = await readWorkflow(path);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  test('may read the repository and nothing else, but for what a job says', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const more = Object.values(jobs).flatMap((job) => (job.permissions ? [job.permissions] : []));
    expect(more).toEqual(permitted[path] ?? []);
  });

  test('takes actions of GitHub alone, and the signer, each by the hash of its commit', () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const action of used) {
      expect(action).toMatch(
        /^(actions\/(checkout|upload-artifact|download-artifact|attest|upload-pages-artifact|deploy-pages)|sigstore\/cosign-installer)@[0-9a-f]{40}$/,
      );
    }
  });

  test('keeps no credentials of the checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ 'persist-credentials': false });
  });

  test('reads the repository also in a container, where it belongs to another user', () => {
    for (const { container, steps } of Object.values(jobs)) {
      const checkout = steps.findIndex(({ uses }) => uses?.startsWith('actions/checkout@'));
      if (container === undefined || checkout === -1) continue;
      const next = 'git config --global --add safe.directory "$GITHUB_WORKSPACE"';
      expect(steps[checkout + 1]?.run).toBe(next);
    }
  });

  test('may mount where all tests run, those of full disks among them, and nowhere else', () => {
    for (const { container, steps } of Object.values(jobs)) {
      const runsAllTests = steps.some(({ run }) => run === '.ci/run' || run === 'npm run test:all');
      const options = typeof container === 'object' ? container.options : undefined;
      const mounting = '--cap-add SYS_ADMIN --security-opt apparmor=unconfined';
      expect(options).toBe(runsAllTests ? mounting : undefined);
    }
  });

  test('a job that may publish runs nothing that was fetched, and publishes what another has tested', () => {
    const text = (job: (typeof jobs)[string]) => JSON.stringify(job);
    const mayPublish = (job: (typeof jobs)[string]) =>
      job.environment !== undefined || job.permissions !== undefined || text(job).includes('secrets.');
    const publishing = Object.values(jobs).filter(mayPublish);
    expect(publishing).toHaveLength(path === 'ci.yml' ? 0 : Math.max(1, permitted[path]?.length ?? 1));
    for (const job of publishing) {
      const handedOver = job.steps.filter(({ uses }) => uses?.startsWith('actions/download-artifact@'));
      // GitHub Pages takes what the job before has uploaded for it by itself.
      const isPages = job.steps.some(({ uses }) => uses?.startsWith('actions/deploy-pages@'));
      const [last] = before(jobs, job);
      if (isPages) expect(last?.steps.at(-1)?.uses).toMatch(/^actions\/upload-pages-artifact@/);
      else expect(handedOver.length).toBeGreaterThan(0);
      const made = before(jobs, job).flatMap(({ steps }) => steps.at(-1)?.with?.['name'] ?? []);
      for (const { with: { name, pattern } = {} } of handedOver) {
        const wanted = new RegExp(`^${String(name ?? pattern).replace('*', '.+')}$`);
        expect(made.map(String).filter((each) => wanted.test(each))).not.toEqual([]);
      }
      for (const { run = '' } of job.steps)
        expect(run).not.toMatch(/npm (ci|i|install|run|test|exec)|npx|apt-get|docker (run|build )|curl/);
    }
  });

  test('puts nothing that others can choose into a command', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  test('runs scripts that exist', async () => {
    const root = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
    for (const { run = '' } of steps) {
      for (const [, script = '', workspace] of run.matchAll(/npm run (\S+)(?: --workspace (\S+))?/g)) {
        const inside = `packages/${workspace?.replace(/@dealkeep\/(piece-dealkeep)?/, (_, piece) => (piece ? 'activepieces' : ''))}`;
        const scripts = workspace
          ? JSON.parse(await readFile(join(repository, inside, 'package.json'), 'utf8')).scripts
          : root.scripts;
        expect(Object.keys(scripts)).toContain(script);
      }
      if (run === '.ci/run') await access(join(repository, run));
    }
  });

  test('publishes for a tag of its own, the documents for main, and from there only', () => {
    const own = tags[path];
    expect(on).toEqual(
      own
        ? { push: { tags: [own] } }
        : { push: { branches: ['main'] }, ...(path === 'ci.yml' ? { pull_request: null } : {}) },
    );
  });
});

/** The jobs that one waits for, directly or through others; each of them that hands something over does so last. */
function before<J extends { needs?: string | undefined }>(jobs: Readonly<Record<string, J>>, job: J): J[] {
  const needed = job.needs === undefined ? undefined : jobs[job.needs];
  return needed === undefined ? [] : [needed, ...before(jobs, needed)];
}

interface Composition {
  services: Record<
    string,
    { image: string; build?: string; profiles?: string[]; environment: Record<string, string | number> }
  >;
}
const readComposition = async (file: string): Promise<Composition['services']> =>
  (parse(await readFile(join(repository, file), 'utf8'), { merge: true }) satisfies Composition).services;
const isOurs = ({ image }: { image: string }) => image.startsWith('ghcr.io/dealkeep/');

test('images of others are named by their digest, so that what runs is what was tried', async () => {
  const dockerfile = await readFile(join(repository, 'Dockerfile'), 'utf8');
  const services = Object.values(await readComposition('docker-compose.yml'));
  const stages = [...dockerfile.matchAll(/^FROM (\S+)(?: AS (\S+))?$/gm)];
  const earlier = new Set(stages.map(([, , name]) => name));
  const images = new Set([
    ...stages.map(([, image = '']) => image).filter((image) => !earlier.has(image)),
    ...services.filter((service) => !isOurs(service)).map(({ image }) => image),
  ]);
  expect(images.size).toBe(3);
  for (const image of images)
    expect(image).toMatch(/^[a-z\d/]+:\d+\.\d+(\.\d+)?(-\w+)?@sha256:[0-9a-f]{64}$/);
});

test('the composition passes on every variable of the program, and those of traces that the documents name', async () => {
  const services = await readComposition('docker-compose.yml');
  const passed = new Set(Object.values(services).flatMap(({ environment }) => Object.keys(environment)));
  const page = await readFile(join(repository, 'docs', 'monitoring.md'), 'utf8');
  const traces = [...page.matchAll(/`(OTEL_\w+)`/g)].map(([, name = '']) => name);
  expect(traces).toContain('OTEL_TRACES_SAMPLER_ARG');
  // The embedded database is not there, one service migrates, and there is no pooler.
  const needless = new Set(['DATA_DIR', 'MIGRATE', 'DATABASE_DIRECT_URL']);
  const wanted = [...variableNames, ...traces].filter((name) => !needless.has(name));
  expect(wanted.filter((name) => !passed.has(name))).toEqual([]);
});

test('the composition runs the published image of this version; the second file builds all that run it', async () => {
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  const services = await readComposition('docker-compose.yml');
  const ours = Object.entries(services).filter(([, service]) => isOurs(service));
  expect(ours.map(([name]) => name)).toEqual(['migrate', 'api', 'worker', 'n8n-node']);
  for (const [, { image, build }] of ours) {
    expect(build).toBeUndefined();
    expect(image).toBe(`ghcr.io/dealkeep/dealkeep:\${DEALKEEP_VERSION:-${version}}`);
  }
  const built = await readComposition('docker-compose.build.yml');
  expect(Object.keys(built)).toEqual(ours.map(([name]) => name));
  for (const service of Object.values(built)) expect(service).toEqual({ build: '.', image: 'dealkeep' });
});

test('n8n starts by its profile alone, in a release that the node is tried in, and no secret has a default (rule operator 44)', async () => {
  const services = await readComposition('docker-compose.yml');
  const profiled = Object.entries(services).filter(([, { profiles }]) => profiles !== undefined);
  expect(profiled.map(([name]) => name)).toEqual(['n8n-database', 'n8n-node', 'n8n']);
  for (const [, { profiles }] of profiled) expect(profiles).toEqual(['n8n']);

  const release = services['n8n']?.image.slice('n8nio/n8n:'.length).split('@')[0];
  await access(join(repository, 'packages', 'tooling', 'tools', `n8n-${release}`, 'package.json'));

  const settings = await readFile(join(repository, '.env.example'), 'utf8');
  const secrets = Object.values(services)
    .flatMap(({ environment }) => Object.entries(environment))
    .filter(([name]) => /PASSWORD|_KEY|TOKEN/.test(name));
  expect(secrets.map(([name]) => name)).toEqual(expect.arrayContaining(['PGPASSWORD', 'N8N_ENCRYPTION_KEY']));
  for (const [, value] of secrets) {
    const [, name] = /^\$\{(\w+):(?:-|\?set it in \.env)\}$/.exec(String(value)) ?? [];
    expect(name).toBeDefined();
    expect(settings).toMatch(new RegExp(`^${name}=$`, 'm'));
  }
});
