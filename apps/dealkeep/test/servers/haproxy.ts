import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@dealkeep/testing';
import { documented, folderOfServer, startServer } from './configured.ts';

/** Starts Debian's HAProxy before three processes, as `docs/scaling/haproxy.cfg` has it, until the test ends. */
export async function startHaProxy(ports: readonly [string, string, string]): Promise<{ origin: string }> {
  const port = await freePort();
  const settings = await documented('haproxy.cfg', [
    ['bind 127.0.0.1:3000', `bind 127.0.0.1:${port}`],
    ...ports.map((each, at) => [`127.0.0.1:300${at + 1}`, `127.0.0.1:${each}`] as const),
  ]);
  const folder = await folderOfServer({ 'haproxy.cfg': settings });
  await startServer('haproxy', ['-W', '-f', join(folder, 'haproxy.cfg')], {
    ready: /Loading success/,
    stop: 'SIGTERM',
  });
  await listens(Number(port));
  return { origin: `http://127.0.0.1:${port}` };
}

async function listens(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(20);
  }
}
