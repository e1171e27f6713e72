import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { eventually } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { makeOrganization, ownDatabase, startReady } from './program.ts';

const hasProcesses = existsSync('/proc/self/status');
const mib = 1024 * 1024;
const bodies = 1160;
const paths = ['/api/v1/public/leads', '/mcp'];

/** What belongs to the process alone, in MiB. */
async function ownMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** A request of which all is sent but the last byte. */
async function sendUnfinished(port: number, path: string, key: string): Promise<Socket> {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${mib}`,
    '',
    '',
  ].join('\r\n');
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}).resume();
  socket.write(head);
  socket.write(Buffer.alloc(mib - 1, ' '));
  await once(socket, 'connect');
  return socket;
}

test.runIf(hasProcesses)(
  'unfinished bodies of one credential hold no more memory than it may have, and that is given back (rules limits 6 and 7)',
  { timeout: 300_000 },
  async () => {
    const variables = await ownDatabase();
    const { key } = await makeOrganization(variables);
    const { child, origin, port, end } = await startReady({ ...variables, ROLES: 'api' });
    // What answers is loaded with the first requests.
    const headers = { Authorization: `Bearer ${key.token}`, 'Content-Type': 'application/json' };
    for (let count = 0; count < 50; count += 1) {
      for (const path of paths) {
        await (await fetch(`${origin}${path}`, { method: 'POST', body: '{}', headers })).text();
      }
    }
    const before = await ownMemory(child.pid);
    const sockets: Socket[] = [];
    let most = before;
    for (let count = 0; count < bodies; count += 1) {
      const path = paths[count % paths.length] ?? '';
      sockets.push(await sendUnfinished(Number(port), path, key.token));
      if (count % 20 === 0) most = Math.max(most, await ownMemory(child.pid));
    }
    // Those for which there is no room are refused and ended, the others because they do not grow.
    await eventually(async () => {
      most = Math.max(most, await ownMemory(child.pid));
      expect(sockets.filter(({ closed }) => !closed)).toEqual([]);
    });
    // 1,160 MB when all were held.
    expect(most - before).toBeLessThan(130);
    // It stayed for good before. What is left is garbage that V8 collects with the next requests.
    await eventually(async () => expect(await ownMemory(child.pid)).toBeLessThan(before + 70));
    expect((await end('SIGTERM')).code).toBe(0);
  },
);
