import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import {
  type DatabaseAddress,
  type DatabaseHost,
  isSocketFolder,
  parseDatabaseAddress,
} from './database-address.ts';

const patienceMs = 4000;
/** PostgreSQL manual, 54.7, SSLRequest. */
const request = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Whether a server takes encrypted connections. Rejects when it cannot be reached. */
export async function offersTls({ host, port }: DatabaseHost): Promise<boolean> {
  const socket = connectTo(port, host);
  try {
    const signal = AbortSignal.timeout(patienceMs);
    await once(socket, 'connect', { signal });
    socket.write(request);
    const [answer]: Buffer[] = await once(socket, 'data', { signal });
    return answer?.toString('latin1').startsWith('S') === true;
  } finally {
    socket.destroy();
  }
}

const demanding: readonly DatabaseAddress['sslMode'][] = ['require', 'verify-ca', 'verify-full'];

/** Rejects when an address asks for encryption, and a server that it names says that it offers none. */
export async function requireOfferedTls(url: string): Promise<void> {
  const { hosts, sslMode } = parseDatabaseAddress(url);
  if (!demanding.includes(sslMode)) return;
  for (const each of hosts.filter((host) => !isSocketFolder(host))) {
    // Who cannot be reached is told of by who connects.
    if (await offersTls(each).catch(() => true)) continue;
    const place = `${each.host}:${each.port}`;
    throw Object.assign(
      new Error(`sslmode=${sslMode} asks for encryption (TLS), which the server at ${place} does not offer`),
      { code: 'TLS_NOT_OFFERED' },
    );
  }
}
