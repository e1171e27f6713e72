import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEncryptedServer } from '@dealkeep/testing';
import { createAuthority, issueCertificate } from '@dealkeep/testing/certificates';
import { expect, test } from 'vitest';
import { dealkeep, dealkeepProcess, oneLine, ownFolder } from './program.ts';

test('a database whose certificate does not hold stops a command with one line that names the cause', async () => {
  const authority = createAuthority();
  const trusted = join(await ownFolder(), 'authority.pem');
  await writeFile(trusted, authority.cert);
  const { urlFor } = await startEncryptedServer(issueCertificate(authority, ['localhost']));
  const SECRETS_KEY = randomBytes(32).toString('base64');
  const migrate = (url: string) => dealkeep(['migrate'], { DATABASE_URL: url, SECRETS_KEY });
  // Node reads it as a process begins.
  const migrateTrusting = (url: string) =>
    dealkeepProcess(['migrate'], { DATABASE_URL: url, SECRETS_KEY, NODE_EXTRA_CA_CERTS: trusted });

  for (const mode of ['verify-ca', 'verify-full']) {
    const refused = await migrate(urlFor('localhost', mode));
    expect([refused.code, refused.stderr]).toEqual([78, expect.stringMatching(oneLine)]);
    expect(refused.stderr).toContain('unable to verify the first certificate');
    expect(refused.stderr).toContain('NODE_EXTRA_CA_CERTS');
  }
  // Also as one of several, of which another one is not there.
  for (const order of ['127.0.0.1:1,$1', '$1,127.0.0.1:1']) {
    const refused = await migrate(urlFor('localhost', 'verify-full').replace(/@([^/]+)/, `@${order}`));
    expect([refused.code, refused.stderr]).toEqual([78, expect.stringContaining('first certificate')]);
  }
  const misnamed = await migrateTrusting(urlFor('127.0.0.1', 'verify-full'));
  expect([misnamed.code, misnamed.stderr]).toEqual([78, expect.stringMatching(oneLine)]);
  expect(misnamed.stderr).toContain("does not match certificate's altnames");
  for (const url of [urlFor('127.0.0.1', 'verify-ca'), urlFor('localhost', 'verify-full')]) {
    expect(await migrateTrusting(url)).toMatchObject({ code: 0, stderr: '' });
  }
});
