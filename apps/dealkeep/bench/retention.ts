// `npm run bench -- retention [--json] [--quick]`: what removing costs of what is kept no longer, against writing
// it: CPU of PostgreSQL, what writers beside it feel, and a transaction beside it that stays open as that of a
// backup does. Then the same rows in partitions by day: what dropping those costs, and what it takes to look into
// all of them. And bytes of what grows. Rows are written one event at a time, with its entry in the audit log and an
// attempt at each of two webhooks.
import { randomBytes, randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createOrganization } from '@dealkeep/core/accounts';
import {
  connect,
  type Database,
  migrate,
  noLimits,
  systemClock,
  usualRetention,
} from '@dealkeep/core/foundations';
import { removeOld } from '@dealkeep/core/installation';
import { startEmbeddedPostgres, throwawayFolder } from '@dealkeep/embedded-postgres';
import { type Figure, figure, median, printFigures } from './figures.ts';
import { compareLookups, makePartitions } from './partitions-by-day.ts';
import { cpuSecondsOfFamily } from './processes.ts';
import { postmasterOf } from './ratios.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});
/** Written one by one; then as many rows again and again at once, because removing is so much faster. */
const writes = values.quick ? 8_000 : 40_000;
const copies = 5;
const events = writes * copies;
const days = 31;
/** So many equal parts of them become old, one after the other. */
const parts = 8;
const hooks = 2;
const dayMs = 24 * 60 * 60 * 1000;
const begun = Date.now() - days * dayMs;
const say = (line: string): void => void process.stderr.write(`${line}\n`);
const removed = ['events', 'attempts', 'auditEntries'] as const;
/** By what their rows would go into partitions. */
const tables = { events: 'occurred_at', attempts: 'started_at', audit_entries: 'at' } as const;

/**
 * An event with its entry and its attempts: in less statements than in operation, so that writing is not made dear.
 */
async function write(sql: Database, organization: string, moment: number): Promise<void> {
  const at = new Date(moment).toISOString();
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  const envelope = JSON.stringify({ id, type: 'lead.created', data: { note: 'x'.repeat(900) } });
  const entry = moment.toString(16).padStart(12, '0') + randomBytes(10).toString('hex');
  await sql`
    with event as (
      insert into events (organization_id, id, type, record_id, occurred_at, envelope)
      values (${organization}, ${id}, 'lead.created', gen_random_uuid(), ${at}, ${envelope}) returning *)
    insert into audit_entries (organization_id, id, at, operation, resource, record_id, record_name, actor_kind,
                               actor_id, actor_name, via, request_id, detail)
    select organization_id, ${entry}, occurred_at, 'leads.create', 'lead', record_id, 'Office chairs', 'key',
           organization_id, 'Zapier', 'key', gen_random_uuid()::text, '{}' from event`;
  await sql`
    insert into attempts (organization_id, id, webhook_id, event_id, event_type, number, started_at, duration_ms, status,
                          response_start)
    select organization_id, gen_random_uuid(), id, ${id}, 'lead.created', 1, ${at}, 40, 200, '{"ok":true}'
    from webhooks where organization_id = ${organization}`;
}

/** Others of the same moments. */
async function copy(sql: Database): Promise<void> {
  await sql`create temporary table copies as select generate_series(2, ${copies}::integer) as n`;
  for (const [name, changed] of Object.entries({
    events: { id: 'id || n' },
    attempts: { id: 'gen_random_uuid()', event_id: 'event_id || n' },
    audit_entries: { id: '(left(id::text, 13) || substr(gen_random_uuid()::text, 14))::uuid' },
  })) {
    const columns = await sql<{ name: string }[]>`
      select attname as name from pg_attribute where attrelid = ${name}::regclass and attnum > 0 and not attisdropped`;
    const names = columns.map((column) => column.name);
    const copied = names.map(
      (column) => Object.entries(changed).find(([each]) => each === column)?.[1] ?? column,
    );
    await sql.unsafe(`insert into ${name} (${names}) select ${copied} from ${name}, copies`);
  }
}

const dataDir = await throwawayFolder();
const figures: Figure[] = [];
try {
  // What is cleared up is cleared where it is counted.
  const server = await startEmbeddedPostgres({ dataDir, settings: { autovacuum: 'off' } });
  try {
    await migrate(server.url);
    const open = (name: string): Database => connect(server.url, { connections: 1, name, limits: noLimits });
    const [sql, writer, upkeep, reader] = [open('bench'), open('writer'), open('upkeep'), open('reader')];
    const postmaster = (await postmasterOf(sql)) ?? 0;
    const cpuOf = async (work: () => PromiseLike<unknown>): Promise<number> => {
      const before = await cpuSecondsOfFamily(postmaster);
      await work();
      return ((await cpuSecondsOfFamily(postmaster)) ?? Number.NaN) - (before ?? Number.NaN);
    };
    const { id: organization } = await createOrganization(
      { sql, clock: systemClock },
      { name: 'Bench', slug: 'bench' },
    );
    await sql`
      insert into webhooks (organization_id, id, name, target_url, events, secret, created_at)
      select ${organization}, gen_random_uuid(), 'Bench', 'https://127.0.0.1/', '{lead.created}', '\\x00', now()
      from generate_series(1, ${hooks}::integer)`;
    // What making the organization wrote.
    await sql`truncate events, audit_entries`;

    say(`Writing ${writes} events, ${writes * hooks} attempts, ${writes} audit entries …`);
    await sql`set synchronous_commit = off`;
    const written = await cpuOf(async () => {
      for (let n = 0; n < writes; n += 1)
        await write(sql, organization, Math.floor(begun + ((n + 0.5) / writes) * days * dayMs));
    });
    const tell = async (name: string, rows: number, goal: number): Promise<void> => {
      const [size] = await sql<{ bytes: number }[]>`select pg_total_relation_size(${name})::float8 as bytes`;
      const gigabytes = (size?.bytes ?? Number.NaN) / rows / 1000;
      figures.push(
        figure(`a million ${name}, with indexes`, gigabytes, { unit: 'GB', rule: 'at most', goal }),
      );
    };
    await tell('events', writes, 2);
    await tell('attempts', writes * hooks, 1);
    await tell('audit_entries', writes, 1);
    const answers = 10_000;
    await sql`
      insert into idempotent_answers (organization_id, credential_id, idempotency_key, fingerprint, answer, created_at)
      select ${organization}, gen_random_uuid(), gen_random_uuid()::text, sha256(n::text::bytea),
             decode(repeat(md5(n::text), 64), 'hex'), now() from generate_series(1, ${answers}::integer) n`;
    await tell('idempotent_answers', answers, 3);

    say(`Copying them until there are ${events} …`);
    await copy(sql);
    say('The same rows in partitions by day …');
    await makePartitions(sql, { tables, begun, days });
    say('Looking into one table and into partitions …');
    const rounds = values.quick ? 3 : 6;
    figures.push(...(await compareLookups(sql, { organization, days, rounds, cpuOf })));

    let part = 0;
    const remove = async (): Promise<void> => {
      part += 1;
      const now = new Date(begun + (part / parts + 1) * days * dayMs);
      const retention = { ...usualRetention, eventDays: days, deliveryLogDays: days, auditDays: days };
      const counts = await removeOld(
        { sql: upkeep, clock: { now: () => now }, retention },
        { only: removed },
      );
      const sum = removed.reduce((all, name) => all + (counts[name] ?? 0), 0);
      if (Math.abs(sum / (events * (2 + hooks)) - 1 / parts) > 0.01) throw new Error(`${sum} were removed`);
    };
    const clear = async (): Promise<void> => {
      for (const name of Object.keys(tables)) await upkeep.unsafe(`vacuum ${name}`);
    };
    /** How long writes took until `work` was done, the shortest first. */
    const writesBeside = async (work: () => PromiseLike<unknown>): Promise<number[]> => {
      let done = false;
      const working = Promise.resolve(work()).finally(() => {
        done = true;
      });
      const times: number[] = [];
      while (!done) {
        const start = performance.now();
        await write(writer, organization, begun + (days + 1) * dayMs + times.length);
        times.push(performance.now() - start);
      }
      await working;
      return times.sort((one, other) => one - other);
    };
    const at = (times: readonly number[], share: number): number =>
      times[Math.floor(times.length * share)] ?? Number.NaN;

    const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
    await writesBeside(() => pause(3000));
    const [removing, clearing, ratios50, ratios99]: number[][] = [[], [], [], []];
    const notes: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      say(`Removing an eighth alone, and one beside writers, ${round + 1} of 3 …`);
      removing?.push(await cpuOf(remove));
      clearing?.push(await cpuOf(clear));
      const quiet = await writesBeside(() => pause(4000));
      const began = performance.now();
      const beside = await writesBeside(remove);
      const seconds = (performance.now() - began) / 1000;
      await clear();
      ratios50?.push(at(beside, 0.5) / at(quiet, 0.5));
      ratios99?.push(at(beside, 0.99) / at(quiet, 0.99));
      notes.push(
        `${at(quiet, 0.99).toFixed(1)} to ${at(beside, 0.99).toFixed(1)} ms in ${seconds.toFixed(1)} s`,
      );
    }
    say('Removing an eighth beside a transaction that stays open …');
    const besideOpen = await reader.begin('isolation level repeatable read', async (tx) => {
      await tx`select from events limit 1`;
      return cpuOf(remove);
    });
    const dropped = await cpuOf(async () => {
      for (const name of Object.keys(tables)) {
        for (let n = 0; n < Math.round(days / parts); n += 1) await sql.unsafe(`drop table ${name}_${n}`);
      }
    });
    const share = (seconds: number): number => (seconds * parts) / (written * copies);
    const ofWriting = (name: string, seconds: number, goal: number, note = ''): void =>
      void figures.push(
        figure(name, share(seconds) * 100, {
          unit: '% of the CPU of writing',
          rule: 'at most',
          goal,
          note: `${note}${seconds.toFixed(2)} s an eighth`,
        }),
      );
    ofWriting('removing', median(removing ?? []), 5, `writing ${written.toFixed(1)} s, `);
    ofWriting('VACUUM after it', median(clearing ?? []), 10);
    ofWriting('removing beside an open transaction', besideOpen, 10);
    ofWriting('dropping as many partitions', dropped, 5);
    const besideWriters = { unit: 'times without', rule: 'at most', goal: 2 } as const;
    figures.push(
      figure('a write beside removal, p50', median(ratios50 ?? []), besideWriters),
      figure('a write beside removal, p99', median(ratios99 ?? []), {
        ...besideWriters,
        note: notes.join(', '),
      }),
    );
    await Promise.all([sql, writer, upkeep, reader].map((each) => each.end()));
  } finally {
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
printFigures(figures, values.json);
process.exitCode = figures.every((each) => each.met) ? 0 : 1;
