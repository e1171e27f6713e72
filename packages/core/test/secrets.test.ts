import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeCursor, encodeCursor } from '../src/lists/cursor.ts';
import { newSecretsKey, parseSecretsKey, Secrets } from '../src/secrets.ts';

const [old, fresh, foreign] = [newSecretsKey(), newSecretsKey(), newSecretsKey()];

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
    const sealed = [secrets.encrypt(text), secrets.encrypt(text)];
    expect(sealed[0]).not.toEqual(sealed[1]);
    expect(sealed.map((each) => secrets.decrypt(each))).toEqual([text, text]);
    expect(secrets.decrypt(secrets.encrypt(''))).toBe('');
  });

  test('rotated: the first key encrypts, all decrypt', () => {
    const sealed = parseSecretsKey(old).encrypt('secret');
    const rotated = parseSecretsKey(`${fresh},${old}`);
    expect(rotated.decrypt(sealed)).toBe('secret');
    expect(parseSecretsKey(fresh).decrypt(rotated.encrypt('secret'))).toBe('secret');
  });

  test('without the right key, or tampered with, nothing is decrypted', () => {
    const sealed = parseSecretsKey(old).encrypt('secret');
    expect(() => parseSecretsKey(foreign).decrypt(sealed)).toThrow('SECRETS_KEY');
    for (const at of [0, 13, sealed.length - 1]) {
      const tampered = Buffer.from(sealed);
      tampered.writeUInt8(tampered.readUInt8(at) ^ 1, at);
      expect(() => parseSecretsKey(old).decrypt(tampered)).toThrow('SECRETS_KEY');
    }
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
