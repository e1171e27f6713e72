import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { connect } from '@dealkeep/core/foundations';
import { eventually } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ask, dealkeep, makeOrganization, oneLine, result, startReady } from '../program.ts';
import { startShelledPostgres } from './shelled-postgres.ts';

const page = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'point-in-time-recovery.md');

/** The commands of a section, without what indents them in a list. */
async function commandsOf(heading: string): Promise<string[]> {
  const sections = (await readFile(page, 'utf8')).split(/^## /m);
  const section = sections.find((each) => each.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', lines = '']) =>
    lines.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  );
}

/** Hosts of webhooks that were told, and how often. */
async function startReceiver(): Promise<{ port: number; told: () => number }> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1;
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, told: () => count };
}

test('a database goes back to the moment before a mistake by the commands of the page, and sends nothing twice', async () => {
  const postgres = await startShelledPostgres();
  const receiver = await startReceiver();
  const variables = {
    DATABASE_URL: postgres.url,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
  };
  const [places = ''] = await commandsOf('Where things are');
  expect(places).toContain('PGDATABASE=dealkeep');
  const given = `DATA=${postgres.data} ARCHIVE=${postgres.folder}/wal BASE=${postgres.folder}/base LOG=${postgres.folder}/log\n`;
  const run = (lines: readonly string[], more = ''): Promise<string> =>
    postgres.shell(given + more + lines.join('\n'));

  await result(['migrate'], variables);
  const { key } = await makeOrganization(variables);
  await run(await commandsOf('Keep the log'));
  expect(await run(await commandsOf('A copy to begin from'))).toContain('successfully verified');

  const server = await startReady(variables);
  const post = async (path: string, body: object): Promise<{ id: string }> => {
    const answer = await ask(server.origin, key.token, path, { method: 'POST', body: JSON.stringify(body) });
    expect(answer.status).toBe(201);
    const { data }: { data: { id: string } } = JSON.parse(await answer.text());
    return data;
  };
  await post('/webhooks', { target_url: `http://127.0.0.1:${receiver.port}/`, events: ['lead.created'] });
  const before = await post('/leads', { name: 'Before' });
  await eventually(async () => expect(receiver.told()).toBe(1));
  const sql = connect(postgres.url, { connections: 1, name: 'test' });
  const [{ moment } = { moment: '' }] = await sql<{ moment: string }[]>`select clock_timestamp() as moment`;
  await eventually(async () => {
    const [row] = await sql<
      { later: boolean }[]
    >`select clock_timestamp() > ${moment}::timestamptz + interval '20 ms' as later`;
    expect(row?.later).toBe(true);
  });
  // The mistake: what must be gone, and a delivery of it that its receiver has seen.
  const after = await post('/leads', { name: 'After' });
  await ask(server.origin, key.token, `/leads/${before.id}`, { method: 'DELETE' });
  await eventually(async () => expect(receiver.told()).toBe(2));
  // A page tells of what no transaction can come before any more.
  const cursor = await eventually(async () => {
    const answer = await ask(server.origin, key.token, '/events?limit=100');
    const seen: { data: { data: { name: string } }[]; next_cursor: string } = JSON.parse(await answer.text());
    expect(seen.data.map(({ data }) => data.name)).toContain('After');
    return seen.next_cursor;
  });
  await sql.end();

  const running = await dealkeep(
    ['recovered', '--to', moment, '--keys', 'keep', '--webhooks', 'keep'],
    variables,
  );
  expect([running.code, running.stderr]).toEqual([1, expect.stringContaining('stop it first')]);
  await server.end('SIGTERM');

  const [choice = '', ...back] = await commandsOf('Back to a moment');
  expect(choice).toMatch(/^MOMENT='[\d-]+ [\d:]+\+00'\n$/);
  await run(back, `MOMENT='${moment.replace('T', ' ').replace('Z', '+00')}'\n`);

  const [settling = ''] = await commandsOf('What Dealkeep needs after it');
  const [program, , ...args] = settling.trim().split(' ');
  expect(program).toBe('npx');
  args[args.indexOf('--to') + 1] = moment;
  const settled = await dealkeep(args, variables);
  expect(settled.stderr).toBe('');
  expect(settled.stdout).toContain(`Settled as of ${moment}.`);
  expect(settled.stdout).toContain('Nothing is sent, neither webhooks nor mails, until you say so');
  expect(await result(['queue', 'status'], variables)).toMatchObject({ deliveries: 'paused' });

  const again = await startReady(variables);
  const get = (path: string): Promise<Response> => ask(again.origin, key.token, path);
  expect((await get(`/leads/${before.id}`)).status).toBe(200);
  expect((await get(`/leads/${after.id}`)).status).toBe(404);
  const created = await ask(again.origin, key.token, '/leads', {
    method: 'POST',
    body: JSON.stringify({ name: 'Since' }),
  });
  expect(created.status).toBe(201);
  // A reader that was further than the database is now misses nothing of what happens from now on; what
  // happened shortly before its place comes again (rule events 28).
  const feed: { data: { type: string; data: { name: string } }[] } = JSON.parse(
    await (await get(`/events?cursor=${encodeURIComponent(cursor)}`)).text(),
  );
  expect(feed.data.map(({ type, data }) => [type, data.name])).toEqual([
    ['lead.created', 'Before'],
    ['lead.created', 'Since'],
  ]);
  expect(receiver.told()).toBe(2);
  // Its receiver had it, and its result may not have been written yet.
  await result(['queue', 'discard', '--all', '--before', moment], variables);
  await result(['queue', 'resume', '--all'], variables);
  await eventually(async () => expect(receiver.told()).toBe(3));
});

test('a moment that has not come, and a server that still recovers, are refused in one line', async () => {
  const postgres = await startShelledPostgres();
  const variables = { DATABASE_URL: postgres.url, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  await result(['migrate'], variables);
  const settle = (to: string) =>
    dealkeep(['recovered', '--to', to, '--keys', 'end', '--webhooks', 'disable'], variables);
  const later = await settle('2100-01-01T00:00:00Z');
  expect([later.code, later.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(later.stderr).toContain('a moment that has passed');
  await postgres.shell(`touch ${postgres.data}/standby.signal
    pg_ctl --pgdata ${postgres.data} --wait --log ${postgres.folder}/log restart`);
  const standby = await settle('2026-01-01T00:00:00Z');
  expect([standby.code, standby.stderr]).toEqual([1, expect.stringMatching(oneLine)]);
  expect(standby.stderr).toContain('is a standby, which takes no writes');
});
