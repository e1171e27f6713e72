import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres, throwawayFolder, throwawaySettings } from '@dealkeep/embedded-postgres';
import { onTestFinished } from 'vitest';
import type { Certificate } from './certificates.ts';

export interface EncryptedServer {
  /** The address of an empty database by a name of the server, which need not stand in its certificate. */
  urlFor(host: 'localhost' | '127.0.0.1', sslMode: string): string;
}

/** A PostgreSQL with a certificate, until the test ends. */
export async function startEncryptedServer({ cert, key }: Certificate): Promise<EncryptedServer> {
  const dataDir = await throwawayFolder();
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const made = await startEmbeddedPostgres({ dataDir, settings: throwawaySettings });
  await made.stop();
  const cluster = join(dataDir, 'postgres');
  await writeFile(join(cluster, 'server.crt'), cert);
  await writeFile(join(cluster, 'server.key'), key, { mode: 0o600 });
  // The server reads a key of its own only, and as root it runs as somebody else.
  const { uid, gid } = await stat(cluster);
  await chown(join(cluster, 'server.key'), uid, gid);
  const server = await startEmbeddedPostgres({ dataDir, settings: { ...throwawaySettings, ssl: 'on' } });
  onTestFinished(() => server.stop());
  return {
    urlFor: (host, sslMode) => `${server.url.replace('@127.0.0.1:', `@${host}:`)}?sslmode=${sslMode}`,
  };
}
