import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { connect } from '@dealkeep/core/foundations';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { monitoringFolder, queriesOf, readAlerts, readDashboard } from './monitoring-files.ts';
import {
  ask,
  beforeAllTests,
  makeOrganization,
  ownDatabase,
  ownFolder,
  startReadyHere,
  type Variables,
} from './program.ts';

/** Labels of a metric with the values that were seen. */
type Labels = ReadonlyMap<string, ReadonlySet<string>>;
let exported: ReadonlyMap<string, Labels>;

/** What Prometheus adds, and its own series. */
const ofPrometheus = new Set(['job', 'instance']);
const alerts = await readAlerts();
const dashboard = await readDashboard();

const metricsToken = 'token-of-mine';
const scrape = async (origin: string): Promise<string> => {
  const response = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  expect(response.status).toBe(200);
  return response.text();
};

/** Series of the text, by name and label. */
function labelsIn(text: string): Map<string, Map<string, Set<string>>> {
  const found = new Map<string, Map<string, Set<string>>>();
  for (const [, name = '', pairs = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const labels = found.get(name) ?? new Map<string, Set<string>>();
    for (const [, label = '', value = ''] of pairs.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.set(label, (labels.get(label) ?? new Set()).add(value));
    }
    found.set(name, labels);
  }
  return found;
}

/** The selectors of a query: names of metrics, each with its matchers, and what it groups by. */
function selectorsIn(query: string) {
  const metrics = [...query.matchAll(/\b((?:dealkeep|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g)];
  const groupings = [...query.matchAll(/\b(?:by|without) \(([^)]*)\)/g)];
  return {
    metrics: metrics.map(([, name = '', matchers = '']) => ({
      name,
      matchers: [...matchers.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', , value = '']) => ({
        label,
        values: value.split('|'),
      })),
    })),
    groupings: groupings.flatMap(([, labels = '']) => labels.split(',').map((each) => each.trim())),
  };
}

// One of every kind: a delivery that arrives, one that does not, a job that failed; and the disk of the embedded
// database.
beforeAllTests(async () => {
  // As a start does that has an embedded database.
  const embedded = await startDealkeep({ worker: false, metricsToken });
  embedded.core.metrics.observeDisk(await ownFolder());
  const variables: Variables & { DATABASE_URL: string } = {
    ...(await ownDatabase()),
    METRICS_TOKEN: metricsToken,
    BACKUP_DIR: await ownFolder(),
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  };
  const { key } = await makeOrganization(variables);
  const { origin } = await startReadyHere(variables);
  const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  const sql = connect(variables.DATABASE_URL, { connections: 1, name: 'test' });
  try {
    await once(receiver, 'listening');
    const address = receiver.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const post = (path: string, body: object) =>
      ask(origin, key.token, path, { method: 'POST', body: JSON.stringify(body) });
    for (const target of [port, 9]) {
      const hook = { target_url: `http://127.0.0.1:${target}/`, events: ['lead.created'] };
      expect((await post('/webhooks', hook)).status).toBe(201);
    }
    expect((await post('/leads', { name: 'Lead' })).status).toBe(201);
    await sql`select graphile_worker.add_job('send_mail', '{}', job_key => 'failed', max_attempts => 1)`;
    // A backup takes the mails that still wait, and this is none.
    await eventually(async () =>
      expect(
        await sql`
          select from graphile_worker._private_jobs where key = 'failed' and attempts = max_attempts and locked_at is null`,
      ).toHaveLength(1),
    );
    // As the clock does each hour.
    await sql`select graphile_worker.add_job('back_up')`;
    exported = await eventually(async () => {
      const found = labelsIn((await scrape(origin)) + (await scrape(embedded.origin)));
      const seen = (name: string, label: string) => [...(found.get(name)?.get(label) ?? [])].sort();
      expect(seen('dealkeep_webhooks', 'state')).toEqual(['active', 'failing']);
      expect(seen('dealkeep_delivery_attempts_total', 'fate')).toEqual(['again', 'delivered']);
      expect(await sql`select kind, failure from backup_runs where failure is not null`).toEqual([]);
      expect([...found.keys()]).toContain('dealkeep_backup_trial_age_seconds');
      expect(seen('dealkeep_jobs_failed', 'task')).toEqual(['send_mail']);
      return found;
    });
  } finally {
    receiver.close();
    await sql.end();
  }
});

describe.each([
  ['alert', alerts.map(({ alert, expr }) => [alert, expr] as const)],
  ['dashboard', queriesOf(dashboard).map((query) => [query, query] as const)],
])('%s', (_, queries) => {
  test.each(queries)('%s asks for what a process exports', (_name, query) => {
    const { metrics, groupings } = selectorsIn(query);
    expect(metrics, 'it asks for something').not.toEqual([]);
    const known = new Set(ofPrometheus);
    for (const { name, matchers } of metrics) {
      const labels = exported.get(name);
      expect(name === 'up' || labels, `${name} is exported`).toBeTruthy();
      for (const label of labels?.keys() ?? []) known.add(label);
      for (const { label, values } of matchers.filter((each) => !ofPrometheus.has(each.label))) {
        const seen = labels?.get(label);
        expect(seen, `${name} has the label ${label}`).toBeDefined();
        // No request has failed here; the rest is seen.
        const allowed =
          label === 'status' ? ['5xx'] : label === 'operation' ? ['page', 'mcp', 'events.list'] : [];
        for (const value of values)
          expect([...(seen ?? []), ...allowed], `${name} ${label}`).toContain(value);
      }
    }
    for (const label of groupings) expect([...known], query).toContain(label);
  });
});

test('every metric of Dealkeep stands in the documents', async () => {
  const page = await readFile(join(monitoringFolder, '..', 'monitoring.md'), 'utf8');
  const own = [...exported.keys()].filter((name) => name.startsWith('dealkeep_'));
  for (const name of own) expect(page).toContain(name.replace(/_(bucket|sum|count)$/, ''));
});
