import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { readConfiguration, variableNames } from '../src/configuration.ts';
import { manifestFolder, readKustomization, readManifests } from './real/manifests.ts';

/** `docs/kubernetes`: that it is what Kubernetes takes is checked by `npm run test:kubernetes`. */
const manifests = await readManifests();
const ofKind = (kind: string) => manifests.filter(({ content }) => content.kind === kind);
const named = (kind: string, name: string) =>
  ofKind(kind).find(({ content }) => content.metadata.name === name)?.content;

/** What is read of the manifests here; whether the cluster takes the whole is asked elsewhere. */
const Labels = z.record(z.string(), z.string());
const Container = z.looseObject({
  image: z.string(),
  args: z.array(z.string()),
  env: z.array(
    z.strictObject({
      name: z.string(),
      value: z.string().optional(),
      valueFrom: z
        .strictObject({
          secretKeyRef: z.strictObject({
            name: z.string(),
            key: z.string(),
            optional: z.boolean().optional(),
          }),
        })
        .optional(),
    }),
  ),
  envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name: z.string() }) })),
  ports: z.array(z.strictObject({ name: z.string(), containerPort: z.int() })).optional(),
  securityContext: z.looseObject({}),
  resources: z.looseObject({}),
});
const Pod = z.looseObject({
  metadata: z.strictObject({ labels: Labels }),
  spec: z.looseObject({ containers: z.tuple([Container]) }),
});
const Workload = z.looseObject({ template: Pod });
const Selector = z.strictObject({ matchLabels: Labels });
const Deployment = z.looseObject({
  selector: Selector,
  replicas: z.int(),
  strategy: z.strictObject({
    rollingUpdate: z.strictObject({ maxUnavailable: z.int(), maxSurge: z.int() }),
  }),
});
const DisruptionBudget = z.strictObject({ maxUnavailable: z.int(), selector: Selector });
const Service = z.looseObject({
  selector: Labels,
  ports: z.tuple([z.looseObject({ targetPort: z.string() })]),
});
const NetworkPolicy = z.looseObject({
  podSelector: Selector,
  policyTypes: z.array(z.string()),
  ingress: z.array(z.looseObject({ ports: z.array(z.unknown()) })),
});

const configuration = Labels.parse(named('ConfigMap', 'dealkeep')?.['data']);
const workloads = [...ofKind('Deployment'), ...ofKind('Job')].map(({ content }) => {
  const { template } = Workload.parse(content['spec']);
  const [container] = template.spec.containers;
  return { name: content.metadata.name, content, pod: template, container };
});

const Kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string(),
  resources: z.array(z.string()),
  images: z.tuple([z.strictObject({ name: z.string(), newTag: z.string() })]),
});

test('the kustomization names every manifest once, its namespace, and the image of this version', async () => {
  const { resources, namespace, images } = Kustomization.parse(await readKustomization());
  expect([...resources].sort()).toEqual([...new Set(manifests.map(({ file }) => file))].sort());
  expect(named('Namespace', namespace)).toBeDefined();
  const root = await readFile(join(manifestFolder, '..', '..', 'package.json'), 'utf8');
  expect(images[0].newTag).toBe(JSON.parse(root).version);
  expect(named('Job', `dealkeep-migrate-${JSON.parse(root).version.replaceAll('.', '-')}`)).toBeDefined();
  for (const { container } of workloads) expect(container.image).toBe(images[0].name);
});

test('there are API, worker and migration, each with its role', () => {
  const roles = workloads.map(({ container }) => [
    ...container.args,
    ...container.env.flatMap(({ name, value }) => (name === 'ROLES' ? [value] : [])),
  ]);
  expect(roles).toEqual([['start', 'api,console'], ['start', 'worker'], ['migrate']]);
});

const isDeployment = ({ content }: (typeof workloads)[number]): boolean => content.kind === 'Deployment';

describe.each(workloads)('$name', (workload) => {
  const { pod, container } = workload;

  test('sets variables that the program knows, to values that it takes', () => {
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'dealkeep' } }]);
    const set = [...Object.keys(configuration), ...container.env.map(({ name }) => name)];
    expect(set.filter((name) => !variableNames.has(name))).toEqual([]);
    expect(set).toHaveLength(new Set(set).size);
    const secrets: Record<string, string> = {
      DATABASE_URL: 'postgres://program:secret@db.example:5432/dealkeep',
      DATABASE_OWNER_URL: 'postgres://owner:secret@db.example:5432/dealkeep',
      SECRETS_KEY: Buffer.alloc(32).toString('base64'),
      METRICS_TOKEN: 'token',
      SMTP_URL: '',
    };
    const values = container.env.map(({ name, value, valueFrom }) => [
      name,
      value ?? secrets[valueFrom?.secretKeyRef.key ?? ''],
    ]);
    // What the cluster would add could look like ours: a service "database" makes DATABASE_PORT.
    expect(pod.spec['enableServiceLinks']).toBe(false);
    const read = readConfiguration({ ...configuration, ...Object.fromEntries(values) });
    expect(read.host).toBe('0.0.0.0');
    if (isDeployment(workload)) expect(read.metricsToken).toBe('token');
  });

  test('has secrets by reference alone, and the owner of the tables for migrations alone', () => {
    const references = container.env.flatMap(({ name, valueFrom }) =>
      valueFrom ? [[name, valueFrom.secretKeyRef.name, valueFrom.secretKeyRef.key]] : [],
    );
    for (const [name, secret, key] of references) expect([secret, key]).toEqual(['dealkeep', name]);
    expect(references.map(([name]) => name).includes('DATABASE_OWNER_URL')).toBe(!isDeployment(workload));
    expect(ofKind('Secret')).toEqual([]);
    for (const name of Object.keys(configuration)) expect(name).not.toMatch(/_URL$|KEY|TOKEN|PASSWORD/);
  });

  test('is no root, has no capability and writes nowhere', () => {
    expect(pod.spec['automountServiceAccountToken']).toBe(false);
    expect(pod.spec['securityContext']).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(pod.spec['volumes']).toBeUndefined();
  });

  test('asks for what it needs, and is held to a limit of memory', () => {
    expect(container.resources).toMatchObject({
      requests: { cpu: expect.any(String), memory: expect.any(String) },
      limits: { memory: expect.any(String) },
    });
  });
});

describe.each(workloads.filter(isDeployment))('$name, which keeps running', ({ content, pod, container }) => {
  test('is asked where it answers, and given the time to end', () => {
    expect(container.ports).toEqual([{ name: 'http', containerPort: Number(configuration['PORT']) }]);
    const probes = { startupProbe: '/healthz', livenessProbe: '/healthz', readinessProbe: '/readyz' };
    for (const [probe, path] of Object.entries(probes)) {
      expect(container[probe], probe).toMatchObject({ httpGet: { path, port: 'http' } });
    }
    // What runs has 10 seconds after the drain; connections close after that.
    const seconds = Number(configuration['DRAIN_SECONDS']) + 10;
    expect(pod.spec['terminationGracePeriodSeconds']).toBeGreaterThanOrEqual(seconds + 10);
  });

  test('is chosen by its own labels, and never taken away as a whole', () => {
    const { labels } = pod.metadata;
    const { selector, strategy, replicas } = Deployment.parse(content['spec']);
    expect(selector.matchLabels).toEqual(labels);
    expect(strategy.rollingUpdate.maxUnavailable).toBe(0);
    const budget = DisruptionBudget.parse(named('PodDisruptionBudget', content.metadata.name)?.['spec']);
    expect(budget).toEqual({ maxUnavailable: 1, selector: { matchLabels: labels } });
    expect(replicas).toBeGreaterThan(budget.maxUnavailable);
    expect(pod.spec['topologySpreadConstraints']).toEqual([
      expect.objectContaining({ labelSelector: { matchLabels: labels } }),
    ]);
  });
});

test('the service leads to the API alone, by the name of its port', () => {
  const [service, ...others] = ofKind('Service').map(({ content }) => Service.parse(content['spec']));
  expect(others).toEqual([]);
  const api = workloads.find(({ name }) => name === 'dealkeep-api');
  expect(service?.selector).toEqual(api?.pod.metadata.labels);
  expect(service?.ports[0].targetPort).toBe(api?.container.ports?.[0]?.name);
});

test('the network policy holds for every pod, and lets in nothing but its port', () => {
  const [policy, ...others] = ofKind('NetworkPolicy').map(({ content }) =>
    NetworkPolicy.parse(content['spec']),
  );
  expect(others).toEqual([]);
  expect(policy?.policyTypes).toEqual(['Ingress', 'Egress']);
  for (const { pod } of workloads)
    expect(pod.metadata.labels).toMatchObject(policy?.podSelector.matchLabels ?? { missing: '' });
  expect(policy?.ingress.flatMap(({ ports }) => ports)).toEqual([{ port: 'http', protocol: 'TCP' }]);
});

test('the page shows the secrets that the manifests refer to, and the names that they have', async () => {
  const page = await readFile(join(manifestFolder, '..', 'kubernetes.md'), 'utf8');
  const keys = workloads.flatMap(({ container }) =>
    container.env.flatMap(({ valueFrom }) => valueFrom?.secretKeyRef.key ?? []),
  );
  for (const key of new Set(keys)) expect(page).toContain(key);
  for (const [, kind = '', name = ''] of page.matchAll(/\b(deployment|job)\/(dealkeep-[\w-]+)/g)) {
    expect(
      workloads.some(({ content }) => content.kind.toLowerCase() === kind && content.metadata.name === name),
    ).toBe(true);
  }
});
