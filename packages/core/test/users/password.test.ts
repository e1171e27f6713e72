import { argon2Sync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { hashPassword, noPassword, verifyPassword } from '../../src/identity/passwords/password.ts';

const asker = { known: false, lane: 'test' };

test('a password fits its own hash alone, and none fits where there is none (rule users 10)', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await verifyPassword(asker, 'correct horse battery', stored)).toBe(true);
  expect(await verifyPassword(asker, 'correct horse batterz', stored)).toBe(false);
  expect(await verifyPassword(asker, noPassword, noPassword)).toBe(false);
  expect(await hashPassword('correct horse battery'), 'salted').not.toBe(stored);
});

test('a password that was hashed at another cost stays good', async () => {
  const nonce = Buffer.from('sixteen bytes ..');
  const cost = { memory: 8192, passes: 1, parallelism: 2 };
  const hash = argon2Sync('argon2id', { ...cost, message: 'of before', nonce, tagLength: 32 });
  const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');
  const stored = `$argon2id$v=19$m=8192,t=1,p=2$${base64(nonce)}$${base64(hash)}`;
  expect(await verifyPassword(asker, 'of before', stored)).toBe(true);
  expect(await verifyPassword(asker, 'of after', stored)).toBe(false);
});

test('many hashes at once leave threads to whoever reads a file or looks up a name', async () => {
  let done = 0;
  const hashes = Array.from({ length: 10 }, () => hashPassword('password').then(() => (done += 1)));
  // Takes several turns in the queue of libuv's threads.
  await readFile(new URL(import.meta.url));
  expect(done).toBeLessThan(7);
  await Promise.all(hashes);
  expect(done).toBe(10);
});
