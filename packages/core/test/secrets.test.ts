import { createCipheriv, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../src/change/paging/cursor.ts';
import { newSecretsKey, parseSecretsKey, Secrets } from '../src/foundations/secrets.ts';

const [old, fresh, foreign] = [newSecretsKey(), newSecretsKey(), newSecretsKey()];
const place = { table: 'webhooks', column: 'secret', row: ['organization', 'webhook'] };

/** As secrets were encrypted before they were bound to their places. */
function formerly(key: string, text: string): Buffer {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

describe('SECRETS_KEY', () => {
  test('is 32 bytes in base64, or several separated by commas', () => {
    for (const good of [old, `${old},${fresh}`, ` ${old} , ${fresh} `]) {
      expect(parseSecretsKey(good)).toBeInstanceOf(Secrets);
    }
    for (const bad of ['', ',', 'short', randomBytes(31).toString('base64'), `${old},`, `${old},x`]) {
      expect(() => parseSecretsKey(bad)).toThrow('32 bytes in base64');
    }
  });

  test('encrypts anew each time, and decrypts what it encrypted', () => {
    const secrets = parseSecretsKey(old);
    const text = 'whsec_žltý kôň 🐎';
    const sealed = [secrets.encrypt(text, place), secrets.encrypt(text, place)];
    expect(sealed[0]).not.toEqual(sealed[1]);
    expect(sealed.map((each) => secrets.decrypt(each, place))).toEqual([text, text]);
    expect(secrets.decrypt(secrets.encrypt('', place), place)).toBe('');
  });

  test('rotated: the first key encrypts, all decrypt (rule operator 13)', () => {
    const sealed = parseSecretsKey(old).encrypt('secret', place);
    const rotated = parseSecretsKey(`${fresh},${old}`);
    expect(rotated.decrypt(sealed, place)).toBe('secret');
    expect(parseSecretsKey(fresh).decrypt(rotated.encrypt('secret', place), place)).toBe('secret');
  });

  test('without the right key, or tampered with, nothing is decrypted', () => {
    const sealed = parseSecretsKey(old).encrypt('secret', place);
    expect(() => parseSecretsKey(foreign).decrypt(sealed, place)).toThrow('SECRETS_KEY');
    for (const at of [0, 5, 13, 30, sealed.length - 1]) {
      const tampered = Buffer.from(sealed);
      tampered.writeUInt8(tampered.readUInt8(at) ^ 1, at);
      expect(() => parseSecretsKey(old).decrypt(tampered, place)).toThrow('SECRETS_KEY');
    }
  });
});

describe('what is encrypted', () => {
  test('can be read in its own table, column and row alone (rule operator 13)', () => {
    const secrets = parseSecretsKey(old);
    const sealed = secrets.encrypt('secret', place);
    for (const elsewhere of [
      { ...place, table: 'idempotent_answers' },
      { ...place, column: 'previous_secret' },
      { ...place, row: ['organization', 'another'] },
      { ...place, row: ['organizationwebhook'] },
      { ...place, row: ['webhook', 'organization'] },
    ]) {
      expect(() => secrets.decrypt(sealed, elsewhere)).toThrow('SECRETS_KEY');
      expect(secrets.canDecrypt(sealed, elsewhere)).toBe(false);
    }
  });

  test('in the former form can be read until everything is bound to its place', () => {
    const sealed = formerly(old, 'secret');
    const secrets = parseSecretsKey(`${fresh},${old}`);
    expect(secrets.decrypt(sealed, place)).toBe('secret');
    expect(secrets.withoutFormer().canDecrypt(sealed, place)).toBe(false);
    expect(secrets.withoutFormer().decrypt(secrets.encrypt('secret', place), place)).toBe('secret');
  });

  test('a fingerprint tells which key it was, and nothing of the key', () => {
    const secrets = parseSecretsKey(`${fresh},${old}`);
    expect(secrets.fingerprints).toEqual([
      parseSecretsKey(fresh).fingerprint,
      parseSecretsKey(old).fingerprint,
    ]);
    expect(new Set(secrets.fingerprints).size).toBe(2);
    expect(secrets.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    expect(Buffer.from(fresh, 'base64').toString('hex')).not.toContain(secrets.fingerprint);
  });
});

describe('a cursor', () => {
  const position = { value: 'Žaba "x"', id: '01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' };

  test('survives the rotation of the key', () => {
    const cursor = encodeCursor(parseSecretsKey(old), 'list', position);
    expect(decodeCursor(parseSecretsKey(`${fresh},${old}`), 'list', cursor)).toEqual(position);
  });

  test('of another list or another installation is refused', () => {
    const cursor = encodeCursor(parseSecretsKey(old), 'list', position);
    expect(() => decodeCursor(parseSecretsKey(old), 'another', cursor)).toThrow('cursor');
    expect(() => decodeCursor(parseSecretsKey(foreign), 'list', cursor)).toThrow('cursor');
  });
});
