import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfiguration } from '../src/configuration.ts';
import { ownFolder } from './program.ts';

const documents = join(import.meta.dirname, '../../../docs');
const read = (file: string) => readFile(join(documents, file), 'utf8');

/** A unit as systemd reads it: what each section sets, in order. */
function settingsOf(text: string): [name: string, value: string][] {
  return [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
}

const variablesOf = (lines: string): Record<string, string> =>
  Object.fromEntries([...lines.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

/** The environment that all units share, filled in as its page says. */
async function sharedVariables(): Promise<Record<string, string>> {
  const text = await read('scaling/dealkeep.env');
  return variablesOf(text.replace('=KEY', `=${Buffer.alloc(32, 7).toString('base64')}`));
}

async function units() {
  const names = (await readdir(join(documents, 'scaling'))).filter((name) => name.endsWith('.service'));
  return Promise.all(
    names.map(async (name) => ({ name, settings: settingsOf(await read(`scaling/${name}`)) })),
  );
}

/** The processes that the page starts, each with what it is told. */
async function processes() {
  const shared = await sharedVariables();
  const [, started = ''] = /systemctl enable --now ([^`]+)`/.exec(await read('scaling.md')) ?? [];
  const all = await units();
  return started.split(/\s+/).map((instance) => {
    const [name, number = ''] = instance.split('@');
    const unit = all.find((each) => each.name === `${name}@.service`);
    if (!unit) throw new Error(`There is no unit of ${instance}`);
    const own = unit.settings.filter(([setting]) => setting === 'Environment').map(([, value]) => value);
    const variables = variablesOf(own.join(' ').replaceAll('%i', number).replaceAll(' ', '\n'));
    return { instance, unit, configuration: readConfiguration({ ...shared, ...variables }) };
  });
}

test('the documented units are started again however long an outage takes, but not for a bad variable (rule operator 7)', async () => {
  for (const { name, settings } of await units()) {
    expect(Object.fromEntries(settings), name).toMatchObject({
      StartLimitIntervalSec: '0',
      Restart: 'always',
      RestartPreventExitStatus: '78',
    });
  }
});

test('every process, proxy and pooler that the page on several processes starts has a port of its own, and finds the others', async () => {
  const running = await processes();
  expect(running.map(({ instance }) => instance)).toEqual([
    'dealkeep-api@1',
    'dealkeep-api@2',
    'dealkeep-api@3',
    'dealkeep-worker@1',
    'dealkeep-worker@2',
  ]);
  const haproxy = await read('scaling/haproxy.cfg');
  const pgbouncer = await read('scaling/pgbouncer.ini');
  const portsIn = (text: string, pattern: RegExp) =>
    [...text.matchAll(pattern)].map(([, port]) => Number(port));
  const listening = [
    ...running.map(({ configuration }) => configuration.port),
    ...portsIn(haproxy, /^ +bind \S+:(\d+)/gm),
    ...portsIn(pgbouncer, /^listen_port = (\d+)/gm),
    ...portsIn(pgbouncer, /host=\S+ port=(\d+)/g),
  ];
  expect(new Set(listening).size, listening.join(', ')).toBe(listening.length);

  const serving = running.filter(({ configuration: { roles } }) => roles.has('api'));
  const asked = portsIn(haproxy, /^ +server \S+ \S+:(\d+)/gm);
  expect([...new Set(asked)]).toEqual(serving.map(({ configuration: { port } }) => port));
  for (const { configuration } of running) {
    const { databaseUrl = '', databaseDirectUrl = '', metricsToken } = configuration;
    expect([new URL(databaseUrl).port]).toEqual(portsIn(pgbouncer, /^listen_port = (\d+)/gm).map(String));
    expect([new URL(databaseDirectUrl).port]).toEqual(portsIn(pgbouncer, /host=\S+ port=(\d+)/g).map(String));
    expect(metricsToken, 'a worker listens only with it').toBeDefined();
  }
});

test('whatever a process of the documented units writes lies where its unit lets it, in a folder that the page makes', async () => {
  const page = await read('scaling.md');
  for (const { instance, unit, configuration } of await processes()) {
    const settings = new Map(unit.settings);
    const writable = (settings.get('ReadWritePaths') ?? '')
      .split(/\s+/)
      .map((path) => path.replace(/^-/, ''));
    expect(settings.get('ProtectSystem'), instance).toBe('strict');
    // An embedded database would be written, too.
    expect(configuration.databaseUrl, instance).toBeDefined();
    if (!configuration.roles.has('worker')) continue;
    const { folder } = configuration.backups ?? {};
    expect(writable, instance).toContain(folder);
    expect(page).toContain(`install -d -o ${settings.get('User')} -m 700 ${folder}\n`);
  }
});

const analyze = '/usr/bin/systemd-analyze';

test.runIf(existsSync(analyze))('systemd takes the documented units without a warning', async () => {
  const folder = await ownFolder();
  const names = (await units()).map(({ name }) => name);
  for (const name of names) {
    const text = await read(`scaling/${name}`);
    // The only thing that a machine without Dealkeep lacks.
    await writeFile(join(folder, name), text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
  }
  const paths = names.map((name) => join(folder, name));
  const { status, stdout, stderr } = spawnSync(analyze, ['verify', ...paths], { encoding: 'utf8' });
  expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' });
});
