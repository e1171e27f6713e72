import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres, throwawayFolder, throwawaySettings } from '@dealkeep/embedded-postgres';
import postgres from 'postgres';
import { onTestFinished } from 'vitest';
import type { Certificate } from './certificates.ts';
import { eventually } from './time.ts';

export interface EncryptedServer {
  /** The address of an empty database by a name of the server, which need not stand in its certificate. */
  urlFor(host: 'localhost' | '127.0.0.1', sslMode: string): string;
  /** From now on it shows this certificate. */
  show(certificate: Certificate): Promise<void>;
}

/**
 * A PostgreSQL with a certificate.
 *
 * @param atEnd when it is stopped: with the test, unless a file's tests share it (`afterAll`)
 */
export async function startEncryptedServer(
  certificate: Certificate,
  atEnd: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<EncryptedServer> {
  const dataDir = await throwawayFolder();
  const server = await startEmbeddedPostgres({ dataDir, settings: throwawaySettings });
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  atEnd(async () => {
    await sql.end({ timeout: 1 });
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const cluster = join(dataDir, 'postgres');
  // The server reads a key of its own only, and as root it runs as somebody else.
  const { uid, gid } = await stat(cluster);
  const show = async ({ cert, key }: Certificate): Promise<void> => {
    await writeFile(join(cluster, 'server.crt'), cert);
    await writeFile(join(cluster, 'server.key'), key, { mode: 0o600 });
    await chown(join(cluster, 'server.key'), uid, gid);
    await sql`alter system set ssl = on`;
    const [before] = await sql`select pg_conf_load_time() as at, pg_reload_conf()`;
    await eventually(async () => {
      const [now] = await sql`select pg_conf_load_time() > ${before?.['at']} as loaded`;
      if (now?.['loaded'] !== true) throw new Error('The server has not read its certificate yet');
    });
  };
  await show(certificate);
  return {
    urlFor: (host, sslMode) => `${server.url.replace('@127.0.0.1:', `@${host}:`)}?sslmode=${sslMode}`,
    show,
  };
}
