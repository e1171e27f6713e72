import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { type EncryptedServer, eventually, startEncryptedServer } from '@dealkeep/testing';
import { type Certificate, createAuthority, issueCertificate } from '@dealkeep/testing/certificates';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../src/foundations/database/connect.ts';
import { isTemporaryFailure } from '../../src/foundations/database/failures.ts';
import { jobPool } from '../../src/foundations/database/job-pool.ts';
import { expectOwnConnections } from './own-connections.ts';

const authority = createAuthority('The authority that is trusted');
const stranger = createAuthority('Another authority');
const before = getCACertificates('default');
let server: EncryptedServer;
beforeAll(async () => {
  const ends: (() => Promise<void>)[] = [];
  server = await startEncryptedServer(
    issueCertificate(authority, ['localhost']),
    (end) => void ends.push(end),
  );
  return async () => {
    for (const end of ends) await end();
  };
});
const showing = async (certificate: Certificate): Promise<EncryptedServer> => {
  await server.show(certificate);
  return server;
};
beforeEach(() => setDefaultCACertificates([authority.cert]));
afterAll(() => setDefaultCACertificates(before));

/** Whether the connection of a statement is encrypted; rejects when none is made. */
type IsEncrypted = (url: string) => Promise<unknown>;
const question = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';

const byStatement: IsEncrypted = async (url) => {
  const sql = connect(url, { connections: 1, name: 'test' });
  onTestFinished(() => sql.end({ timeout: 1 }));
  const [row] = await sql.unsafe(question);
  return row?.['ssl'];
};

const byJob: IsEncrypted = async (url) => {
  const pool = await jobPool(url, 1);
  onTestFinished(() => pool.end());
  const { rows } = await pool.query<{ ssl: boolean }>(question);
  return rows[0]?.ssl;
};

test('a transaction over TLS has its connection to itself, too', async () => {
  const { urlFor } = await showing(issueCertificate(authority, ['localhost']));
  await expectOwnConnections(urlFor('localhost', 'require'));
});

test('a connection over TLS that is ended fails what waits on it, and the pool goes on', async () => {
  const { urlFor } = await showing(issueCertificate(authority, ['localhost']));
  const sql = connect(urlFor('localhost', 'require'), { connections: 1, name: 'test ended' });
  const other = connect(urlFor('localhost', 'require'), { connections: 1, name: 'test administrator' });
  onTestFinished(() => Promise.all([sql.end({ timeout: 1 }), other.end({ timeout: 1 })]).then(() => {}));
  const endSession = () =>
    eventually(async () =>
      expect(
        await other`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'test ended' and query <> ''`,
      ).toHaveLength(1),
    );
  for (const run of [() => sql`select pg_sleep(30)`, () => sql.begin((tx) => tx`select pg_sleep(30)`)]) {
    await sql`select 1`;
    const failed = expect(run()).rejects.toSatisfy(isTemporaryFailure);
    await endSession();
    await failed;
    expect([...(await sql`select 2 as two`)]).toEqual([{ two: 2 }]);
  }
  // While nothing waits on it, too.
  await endSession();
  await eventually(async () => expect([...(await sql`select 3 as three`)]).toEqual([{ three: 3 }]));
});

describe.each<[string, IsEncrypted]>([
  ['a pool for statements', byStatement],
  ['the queue of jobs', byJob],
])('with %s', (_, isEncrypted) => {
  test('a certificate for a name: verify-full takes that name only, verify-ca any', async () => {
    const { urlFor } = await showing(issueCertificate(authority, ['localhost']));
    expect(await isEncrypted(urlFor('localhost', 'verify-full'))).toBe(true);
    expect(await isEncrypted(urlFor('localhost', 'verify-ca'))).toBe(true);
    expect(await isEncrypted(urlFor('127.0.0.1', 'verify-ca'))).toBe(true);
    await expect(isEncrypted(urlFor('127.0.0.1', 'verify-full'))).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      message: expect.stringContaining('127.0.0.1'),
    });
  });

  test('a certificate for an address: verify-full takes that address only, verify-ca any', async () => {
    const { urlFor } = await showing(issueCertificate(authority, ['127.0.0.1']));
    expect(await isEncrypted(urlFor('127.0.0.1', 'verify-full'))).toBe(true);
    expect(await isEncrypted(urlFor('localhost', 'verify-ca'))).toBe(true);
    await expect(isEncrypted(urlFor('localhost', 'verify-full'))).rejects.toMatchObject({
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      message: expect.stringContaining('localhost'),
    });
  });

  test('a certificate of another authority: verify-ca and verify-full refuse it, require takes it', async () => {
    const { urlFor } = await showing(issueCertificate(stranger, ['localhost']));
    for (const mode of ['verify-ca', 'verify-full']) {
      await expect(isEncrypted(urlFor('localhost', mode))).rejects.toMatchObject({
        code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      });
    }
    for (const mode of ['prefer', 'require']) {
      expect(await isEncrypted(urlFor('localhost', mode))).toBe(true);
    }
  });
});
