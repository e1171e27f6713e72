// `npm run bench -- organizations [--json] [--quick] [--many N]`: what a process costs in an installation of many
// organizations, most of whom do nothing, against one of ten: its start, its memory, an idle minute and an hour of
// tasks by the clock. Both are databases of one server, and are looked at in turn.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { connect, migrate, noLimits } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres, throwawayFolder } from '@dealkeep/embedded-postgres';
import { type Figure, figure, median, printFigures } from './figures.ts';
import { askedPath, makeOrganizations, tokenOf } from './multiply-organization.ts';
import { cpuSeconds, cpuSecondsOfFamily, memoryMb, stop } from './processes.ts';
import { postmasterOf } from './ratios.ts';
import { costOfTasks, type TaskCost } from './tasks-by-the-clock.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    /** Fewer starts: to see whether a change helps. */
    quick: { type: 'boolean', default: false },
    many: { type: 'string', default: '10000' },
  },
});
const few = 10;
const many = Number(values.many);
const requests = many;
const starts = values.quick ? 3 : 7;
const goal = 1.3;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

interface Program {
  pid: number;
  url: string;
  /** Until it is ready. */
  seconds: number;
  stop(): Promise<void>;
}

/** `dealkeep start` as in production, until it says that it is ready. */
async function start(roles: string, databaseUrl: string): Promise<Program> {
  const began = performance.now();
  const child = spawn(process.execPath, [new URL('../bin/dealkeep.js', import.meta.url).pathname, 'start'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      ROLES: roles,
      PORT: '0',
      DRAIN_SECONDS: '0',
    },
  });
  let said = '';
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
    const ready = /^\{.*"msg":"Dealkeep is ready\."\}$/m.exec(said)?.[0];
    if (ready !== undefined) resolve(String(JSON.parse(ready).api ?? ''));
  });
  child.once('close', (code) => reject(new Error(`dealkeep start ended with ${code}:\n${said}`)));
  const api = await promise;
  const origin = api === '' ? '' : new URL(api).origin;
  return {
    pid: child.pid ?? 0,
    url: origin,
    seconds: (performance.now() - began) / 1000,
    stop: () => stop(child),
  };
}

interface Seen {
  apiStart: number[];
  workerStart: number[];
  apiMemory: number;
  workerMemory: number;
  /** Seconds of CPU in an idle minute, of the worker and of PostgreSQL. */
  idle: number;
  tasks: readonly TaskCost[];
}

/** Every organization asks for its leads, in turn, until so many requests are answered. */
async function ask(origin: string, organizations: number): Promise<void> {
  let next = 0;
  const asker = async (): Promise<void> => {
    for (;;) {
      next += 1;
      if (next > requests) return;
      const headers = { Authorization: `Bearer ${tokenOf((next % organizations) + 1)}` };
      const response = await fetch(origin + askedPath, { headers });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 8 }, asker));
}

async function look(
  url: string,
  organizations: number,
  postmaster: number,
): Promise<Omit<Seen, 'apiStart' | 'workerStart'>> {
  say(`Memory of an API with ${organizations} organizations, ${requests} requests …`);
  const api = await start('api', url);
  await ask(api.url, organizations);
  const apiMemory = (await memoryMb(api.pid)) ?? Number.NaN;
  await api.stop();
  say(`A minute of an idle worker …`);
  const worker = await start('worker', url);
  const used = async (): Promise<number> =>
    ((await cpuSeconds(worker.pid)) ?? Number.NaN) + ((await cpuSecondsOfFamily(postmaster)) ?? Number.NaN);
  // What it compiles when it has started is no part of a minute. Each measurement has its full minutes of the clock.
  await sleep(10_000);
  const before = await used();
  await sleep(60_000);
  const idle = (await used()) - before;
  const workerMemory = (await memoryMb(worker.pid)) ?? Number.NaN;
  await worker.stop();
  say('Each task by the clock …');
  return { apiMemory, workerMemory, idle, tasks: await costOfTasks(url, postmaster) };
}

const dataDir = await throwawayFolder();
const figures: Figure[] = [];
try {
  const server = await startEmbeddedPostgres({ dataDir, settings: { max_connections: 100 } });
  try {
    const admin = connect(server.url, { connections: 1, name: 'bench', limits: noLimits });
    const postmaster = (await postmasterOf(admin)) ?? 0;
    const databases: { url: string; organizations: number }[] = [];
    for (const organizations of [few, many]) {
      say(`Making ${organizations} organizations …`);
      const name = `of_${organizations}`;
      await admin`create database ${admin(name)}`;
      const address = new URL(server.url);
      address.pathname = name;
      await migrate(address.href);
      const sql = connect(address.href, { connections: 1, name: 'bench', limits: noLimits });
      await makeOrganizations(sql, organizations);
      await sql.end();
      databases.push({ url: address.href, organizations });
    }
    await admin`checkpoint`;
    say('Starts …');
    const startsOf = databases.map(() => ({ api: [] as number[], worker: [] as number[] }));
    for (let round = 0; round < starts; round += 1) {
      for (const [index, { url }] of databases.entries()) {
        for (const role of ['api', 'worker'] as const) {
          const program = await start(role, url);
          startsOf[index]?.[role].push(program.seconds);
          await program.stop();
        }
      }
    }
    const seen: Seen[] = [];
    for (const [index, { url, organizations }] of databases.entries()) {
      const { api = [], worker = [] } = startsOf[index] ?? {};
      seen.push({ apiStart: api, workerStart: worker, ...(await look(url, organizations, postmaster)) });
    }
    await admin.end();
    const [ten, thousands] = seen;
    if (!ten || !thousands) throw new Error('Both are looked at');
    const compare = (name: string, unit: string, of: (each: Seen) => number): void => {
      const note = `${of(ten).toPrecision(3)} ${unit} with ${few}, ${of(thousands).toPrecision(3)} ${unit} with ${many}`;
      figures.push(figure(name, of(thousands) / of(ten), { unit: 'times', rule: 'at most', goal, note }));
    };
    compare('start of an API', 's', (each) => median(each.apiStart));
    compare('start of a worker', 's', (each) => median(each.workerStart));
    compare('memory of an API', 'MB', (each) => each.apiMemory);
    compare('memory of a worker', 'MB', (each) => each.workerMemory);
    compare('an idle minute, CPU with PostgreSQL', 's', (each) => each.idle);
    // What happens each minute is part of the idle ones.
    const rarer = (each: Seen): number =>
      each.tasks.reduce(
        (sum, { seconds, timesAnHour }) => sum + (timesAnHour < 60 ? seconds * timesAnHour : 0),
        0,
      );
    compare('an idle hour with all tasks, CPU with PostgreSQL', 's', (each) => each.idle * 60 + rarer(each));
    for (const { name, seconds } of thousands.tasks) {
      const before = ten.tasks.find((each) => each.name === name)?.seconds ?? Number.NaN;
      say(
        `  ${name.padEnd(28)} ${(before * 1000).toFixed(1).padStart(8)} ms ${(seconds * 1000).toFixed(1).padStart(10)} ms`,
      );
    }
  } finally {
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
printFigures(figures, values.json);
process.exitCode = figures.every((each) => each.met) ? 0 : 1;
