import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { eventually, freePort } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { documented, folderOfServer, startServer } from '../servers/configured.ts';

/** Stands for an installation. */
async function installation(name: string): Promise<number> {
  const server = createServer((_, response) => response.end(name)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

async function ask(port: string, host: string): Promise<string> {
  const asked = request({ port, host: '127.0.0.1', headers: { host } }).end();
  const [answer] = await once(asked, 'response');
  return text(answer);
}

test('HAProxy leads each host name to the installation that has its organization', async () => {
  const port = await freePort();
  const [one, two] = [await installation('one'), await installation('two')];
  const map = await folderOfServer({ 'cells.map': await documented('cells.map', []) });
  const folder = await folderOfServer({
    'haproxy-cells.cfg': await documented('haproxy-cells.cfg', [
      ['/etc/haproxy/cells.map', join(map, 'cells.map')],
      ['bind 127.0.0.1:3000', `bind 127.0.0.1:${port}`],
      ['127.0.0.1:3001', `127.0.0.1:${one}`],
      ['127.0.0.1:4001', `127.0.0.1:${two}`],
    ]),
  });
  await startServer('haproxy', ['-W', '-f', join(folder, 'haproxy-cells.cfg')], {
    ready: /Loading success/,
    stop: 'SIGTERM',
  });
  await eventually(async () => expect(await ask(port, 'one.example.com')).toBe('one'));
  expect(await ask(port, 'Kovac.example.com:3000')).toBe('two');
  expect(await ask(port, 'novak.example.com'), 'whom the map does not name').toBe('one');
});
