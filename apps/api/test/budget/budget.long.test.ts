import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as contract from '@dealkeep/contract';
import { limits, type OperationDeclaration, oauthPaths, operations } from '@dealkeep/contract';
import { Secrets } from '@dealkeep/core/foundations';
import { Browser, startDealkeep } from '@dealkeep/testing';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { idsOf, openKnownBusiness, pathOn } from '../known-records.ts';
import { registerApp } from '../oauth/connected-app.ts';
import { dearestProduct, fullBatch, worstBodies, worstForms, worstMessages } from './hostile-values.ts';

// Issue 13, A: whatever one request of 1 MiB holds, it blocks the others for 200 ms of CPU at most, and a process of
// 384 MB survives ten of them at once. Everything is tried by `npm run test:budget`; here, a part of it.
const all = process.env['BUDGET'] === 'all';
const budgetMs = 200;
const heapMb = 384;

const secret = randomBytes(32);
const dealkeep = await startDealkeep({ worker: false, secrets: new Secrets([secret]) });
const business = await openKnownBusiness(dealkeep);
const app = await registerApp(dealkeep);
const { known, organization } = business;

const child = fork(fileURLToPath(new URL('./measured-server.ts', import.meta.url)), {
  execArgv: [`--max-old-space-size=${heapMb}`],
  env: { ...process.env, DATABASE_URL: dealkeep.databaseUrl, SECRET: secret.toString('hex') },
});
const Started = z.tuple([z.object({ port: z.number(), routes: z.array(z.string()) })]).rest(z.unknown());
const [{ port, routes }] = Started.parse(await once(child, 'message'));
const origin = `http://127.0.0.1:${port}`;
afterAll(() => void child.kill());

const Told = z.tuple([z.object({ cpuMs: z.number() })]).rest(z.unknown());

async function cpuMs(): Promise<number> {
  const told = once(child, 'message');
  child.send('cpu');
  return Told.parse(await told)[0].cpuMs;
}

interface Sent {
  readonly name: string;
  readonly path: string;
  /** Made anew for each try where a second one of the same would do less. */
  readonly init: RequestInit | (() => RequestInit);
}

async function answer({ path, init }: Sent): Promise<number> {
  const sent = typeof init === 'function' ? init() : init;
  const response = await fetch(`${origin}${path}`, { redirect: 'manual', ...sent });
  await response.arrayBuffer();
  return response.status;
}

/**
 * Milliseconds of CPU that the answer took; the quickest of up to five, since other work of the machine slows it
 * down, too.
 */
async function costOf(sent: Sent): Promise<{ cost: number; status: number }> {
  let best = { cost: Number.POSITIVE_INFINITY, status: 0 };
  for (let tries = 0; tries < 5 && best.cost > budgetMs; tries += 1) {
    const before = await cpuMs();
    const status = await answer(sent);
    const cost = (await cpuMs()) - before;
    if (cost < best.cost) best = { cost, status };
  }
  return best;
}

/** What takes too long or is answered as a fault, and how the ten dearest at once end. */
async function strain(requests: readonly Sent[]): Promise<string[]> {
  const costs: { sent: Sent; cost: number }[] = [];
  const failing: string[] = [];
  for (const sent of requests) {
    const { cost, status } = await costOf(sent);
    costs.push({ sent, cost });
    if (cost > budgetMs) failing.push(`${sent.name}: ${Math.round(cost)} ms`);
    if (status >= 500) failing.push(`${sent.name}: ${status}`);
  }
  const dearest = costs.sort((a, b) => b.cost - a.cost).slice(0, all ? 3 : 1);
  for (const { sent } of dearest) {
    const statuses = await Promise.all(Array.from({ length: 10 }, () => answer(sent)));
    if (statuses.some((status) => status >= 500 && status !== 503))
      failing.push(`ten of ${sent.name}: ${statuses}`);
  }
  if (all) console.log(dearest.map(({ sent, cost }) => `${Math.round(cost)} ms ${sent.name}`).join('\n'));
  if (child.exitCode !== null || child.signalCode !== null) failing.push('the process is gone');
  return failing;
}

const few = <Item>(items: readonly Item[], each: number): Item[] =>
  all ? [...items] : items.filter((_, index) => index % each === 0);

const api = { Authorization: `Bearer ${organization.key}` };
const declarations = Object.values<OperationDeclaration>(operations);
const pathOf = (declaration: OperationDeclaration, of = known): string =>
  `${contract.basePath}${pathOn(declaration, idsOf(of, declaration.resource)[0] ?? '')}`.replace(
    '{type}',
    'lead.created',
  );

const writing = declarations.filter(({ method }) => method === 'POST' || method === 'PATCH');

describe('the worst bodies of an operation (13, budget)', () => {
  const tried = all
    ? writing
    : writing.filter(({ id }) => ['orders.create', 'webhooks.create', 'leads.create'].includes(id));
  test.each(tried.map((declaration) => [declaration.id, declaration] as const))(
    '%s',
    { timeout: 600_000 },
    async (_, declaration) => {
      const { body = z.strictObject({}), method } = declaration;
      const least = declaration.kind === 'update' ? {} : business.leastBody(declaration);
      const init = (text: string): RequestInit => ({
        method,
        body: text,
        headers: { ...api, 'Content-Type': 'application/json' },
      });
      const path = pathOf(declaration);
      const requests = [...worstBodies(body, least, all)].map(([name, text]) => ({
        name,
        path,
        init: init(text),
      }));
      const create = declarations.find(({ id }) => id === declaration.batches?.['create']);
      const schema = create?.body;
      const full: Sent[] =
        create && schema
          ? [{ name: 'a full batch', path, init: () => init(fullBatch(schema, business.leastBody(create))) }]
          : [];
      expect(await strain([...full, ...few(requests, 3)])).toEqual([]);
    },
  );
});

describe('the worst addresses of an operation (13, budget)', () => {
  const reading = declarations.filter(({ method }) => method === 'GET');
  const longest = 14_000;
  const queries = [
    'a=&'.repeat(longest / 3),
    `q=${'%25'.repeat(longest / 3)}`,
    `q=${'_'.repeat(longest)}`,
    `cursor=${'A'.repeat(longest)}`,
    `created_after=2026-01-01T00:00:00.${'1'.repeat(longest)}Z`,
    `limit=${'9'.repeat(longest)}`,
    'limit=100',
  ];
  test('every reading operation', { timeout: 600_000 }, async () => {
    // Another business: of the one that writes were tried on, records are erased.
    const { known: read, organization: owner } = await openKnownBusiness(dealkeep);
    // As large as records of before the bounds were, and as many as a page can have.
    await dealkeep.sql`update leads set note = repeat('ž', 30000) where organization_id = ${owner.id}`;
    await dealkeep.sql`update companies set note = repeat('x', 900000) where organization_id = ${owner.id}`;
    await dealkeep.sql`update orders set notes = repeat('x', 900000) where organization_id = ${owner.id}`;
    const requests = reading.flatMap((declaration) =>
      queries.map((query) => ({
        name: `${declaration.id} ${query.slice(0, 20)}`,
        path: `${pathOf(declaration, read)}?${query}`,
        init: { headers: { Authorization: `Bearer ${owner.key}` } },
      })),
    );
    expect(await strain(few(requests, 11))).toEqual([]);
  });
});

describe('the worst messages to assistants (rule assistants 1)', () => {
  const headers = {
    ...api,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    'MCP-Protocol-Version': '2025-11-25',
  };
  const Listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });

  test('every tool and method', { timeout: 900_000 }, async () => {
    const messageOf = (method: string, params: string): RequestInit => ({
      method: 'POST',
      body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params}}}`,
      headers,
    });
    const path = `${contract.mcpPath}/all`;
    const listed = await fetch(`${origin}${path}`, messageOf('tools/list', ''));
    const names = Listed.parse(await listed.json()).result.tools.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(50);
    const requests = [...worstMessages(names)].map(([name, method, params]) => ({
      name,
      path,
      init: messageOf(method, params),
    }));
    const least = { name: 'tools/list', path, init: messageOf('tools/list', '') };
    expect(await strain([least, ...few(requests, 17)])).toEqual([]);
  });
});

const fieldNames = [
  ...new Set(
    Object.values(contract).flatMap((value) =>
      value instanceof z.ZodObject ? Object.keys(value.shape) : [],
    ),
  ),
].filter((name) => !name.includes('['));

describe('the worst forms (13, budget)', () => {
  const formHeaders = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const names = ['name', 'note', 'email', ...fieldNames];
  const [product = ''] = idsOf(known, 'product');

  test('of the console, for somebody who is signed in', { timeout: 900_000 }, async () => {
    const browser = new Browser({ origin });
    await browser.signIn(organization);
    const { html } = await browser.get('/');
    const token = /name="csrf_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    for (let made = 0; made < 25; made += 1) {
      const fields = { sku: `DEAREST-${made}`, name: `${dearestProduct} ${made}`, price: '5', do: 'save' };
      await browser.fill('/products/new', '/products/new', fields);
    }
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
    // Signing out would end the session.
    const forms = routes.filter(
      (path) => path !== '/sign-out' && path !== '*' && !/password|sessions/.test(path),
    );
    expect(forms.length).toBeGreaterThan(40);
    const requests = forms.flatMap((path) =>
      [...worstForms(`csrf_token=${token}&form_token=a`, names, product)].map(([name, body]) => ({
        name: `${path} ${name}`,
        path: filled(path),
        init: { method: 'POST', body, headers: { ...formHeaders, Cookie: cookie } },
      })),
    );
    expect(await strain(few(requests, 97))).toEqual([]);
  });

  test('of strangers and of applications', { timeout: 600_000 }, async () => {
    const paths = ['/sign-in', oauthPaths.authorize, oauthPaths.token, oauthPaths.revoke, '/companies/new'];
    const credentials = `client_id=${app.client.client_id}&client_secret=${app.secret}&grant_type=refresh_token`;
    const requests = paths.flatMap((path) =>
      [...worstForms(credentials, names, product)].map(([name, body]) => ({
        name: `${path} ${name}`,
        path,
        init: { method: 'POST', body, headers: formHeaders },
      })),
    );
    const addresses = [
      `${oauthPaths.authorize}?${'a=&'.repeat(4600)}`,
      `/sign-in?back=/${'%2f'.repeat(4600)}`,
    ];
    const asked = addresses.map((path) => ({ name: path.slice(0, 30), path, init: {} }));
    expect(await strain([...few(requests, 5), ...asked])).toEqual([]);
  });
});

/** A console's path with the ids of records that exist. */
function filled(path: string): string {
  const resource = path.split('/')[1] ?? '';
  const [name = ''] = contract.resourceNames.filter(
    (each) => `${each}s` === resource || each.replace(/y$/, 'ies') === resource,
  );
  const id = idsOf(known, name)[0] ?? known.webhook[0] ?? '';
  return path.replaceAll(/:list/g, 'tags').replaceAll(/:[a-z_]+(\{[^}]*\})?/gi, id);
}

test('the process has stayed the same one, and answers', async () => {
  expect([child.exitCode, child.signalCode]).toEqual([null, null]);
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  expect(limits.bodyBytes).toBe(1024 * 1024);
});
