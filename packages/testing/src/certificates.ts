import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Certificate {
  /** PEM of the certificate and of its key. */
  readonly cert: string;
  readonly key: string;
}

interface Authority extends Certificate {
  readonly name: string;
  readonly privateKey: KeyObject;
}

const day = 86_400_000;

/**
 * A certificate authority of the test's own; trust it with `tls.setDefaultCACertificates`. By its name alone a
 * client takes it for another one of that name that it trusts, and says something else of what that one has not
 * signed.
 */
export function createAuthority(name = `Test authority ${randomUUID()}`): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const extensions = [extension('2.5.29.19', sequence(boolean(true)))];
  const cert = certificate({ issuer: name, subject: name, publicKey, signer: privateKey, extensions });
  return { name, privateKey, cert, key: pem(privateKey) };
}

/** A server certificate for these names and IPv4 addresses, valid from yesterday until tomorrow unless told. */
export function issueCertificate(
  authority: Authority,
  names: string[],
  validity: { from?: Date; to?: Date } = {},
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const alternatives = names.map((name) =>
    isIPv4(name)
      ? tagged(0x87, Buffer.from(name.split('.').map(Number)))
      : tagged(0x82, Buffer.from(name, 'ascii')),
  );
  const extensions = [extension('2.5.29.17', sequence(...alternatives))];
  const subject = names[0] ?? 'nobody';
  const signer = authority.privateKey;
  const cert = certificate({ issuer: authority.name, subject, publicKey, signer, extensions, ...validity });
  return { cert, key: pem(privateKey) };
}

// X.509 version 3 (RFC 5280 §4.1) in DER; Node makes keys and signatures, but no certificates.
function certificate({
  issuer,
  subject,
  publicKey,
  signer,
  extensions,
  from = new Date(Date.now() - day),
  to = new Date(Date.now() + day),
}: {
  issuer: string;
  subject: string;
  publicKey: KeyObject;
  signer: KeyObject;
  extensions: Buffer[];
  from?: Date;
  to?: Date;
}): string {
  const algorithm = sequence(objectId('1.2.840.10045.4.3.2'));
  const toBeSigned = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1, ...crypto.getRandomValues(new Uint8Array(8))])),
    algorithm,
    distinguishedName(issuer),
    sequence(time(from), time(to)),
    distinguishedName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  );
  const signature = sign('sha256', toBeSigned, signer);
  const der = sequence(toBeSigned, algorithm, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)
    ?.join('\n');
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function boolean(value: boolean): Buffer {
  return tagged(0x01, Buffer.from([value ? 255 : 0]));
}

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 127];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128);
    bytes.push(...groups);
  }
  return tagged(0x06, Buffer.from(bytes));
}

function distinguishedName(commonName: string): Buffer {
  const attribute = sequence(objectId('2.5.4.3'), tagged(0x0c, Buffer.from(commonName)));
  return sequence(tagged(0x31, attribute));
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return tagged(0x18, Buffer.from(digits));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(objectId(id), tagged(0x04, value));
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
