import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfiguration } from '../src/configuration.ts';
import { checkPostgresVersion } from '../src/open-database.ts';
import { dealkeep, oneLine, ownDatabase } from './program.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const database = { DATABASE_URL: 'postgres://user:password@db.example/crm' };

test('without any variable everything has its documented default (rule operator 5)', () => {
  expect(readConfiguration({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    origin: undefined,
    databaseUrl: undefined,
    databasePool: 10,
    dataDir: resolve('.data'),
    roles: new Set(['api', 'worker', 'console']),
    environment: 'live',
    secretsKey: undefined,
    mail: undefined,
    retention: { eventDays: 31, deliveryLogDays: 30, auditDays: 365, answerHours: 24 },
    logLevel: 'info',
    trustProxy: false,
  });
});

test('an empty variable is one that is not set (rule operator 5)', () => {
  const names = [
    'PORT',
    'HOST',
    'ORIGIN',
    'DATABASE_URL',
    'ROLES',
    'ENVIRONMENT',
    'LOG_LEVEL',
    'METRICS_TOKEN',
    'SECRETS_KEY',
    'SMTP_URL',
    'MAIL_FROM',
  ];
  const empty = readConfiguration(Object.fromEntries(names.map((name) => [name, ''])));
  expect({ ...empty, allowedTargets: 0 }).toEqual({ ...readConfiguration({}), allowedTargets: 0 });
});

test.each([
  ['PORT', 'http', 'a whole number from 0 to 65535'],
  ['PORT', '65536', 'a whole number from 0 to 65535'],
  ['PORT', '-1', 'a whole number'],
  ['PORT', '3000 ', 'a whole number'],
  ['ORIGIN', 'crm.example.com', 'an address without a path such as https://'],
  ['ORIGIN', 'https://crm.example.com/api', 'an address without a path'],
  ['ORIGIN', 'ftp://crm.example.com', 'an address'],
  ['ORIGIN', 'https://user@crm.example.com', 'an address'],
  ['DATABASE_URL', 'mysql://db.example/crm', 'an address such as postgres://'],
  ['DATABASE_URL', 'postgres:crm', 'an address such as postgres://'],
  ['DATABASE_URL', 'db.example', 'an address such as postgres://'],
  [
    'DATABASE_URL',
    'postgres://u:p@db/crm?sslmode=on',
    'sslmode=disable, allow, prefer, require, verify-ca, verify-full',
  ],
  ['DATABASE_URL', 'postgres://u:p@one:1,two:x/crm', 'an address such as postgres://'],
  ['DATABASE_POOL', '0', 'a whole number from 2'],
  ['DATABASE_POOL', 'many', 'a whole number from 2'],
  ['ROLES', 'api,wörker', 'any of api, worker, console'],
  ['ROLES', ',', 'any of api, worker, console'],
  ['ENVIRONMENT', 'production', 'one of live, test'],
  ['SECRETS_KEY', 'short', '32 bytes in base64'],
  ['SECRETS_KEY', `${key},`, '32 bytes in base64'],
  ['WEBHOOK_ALLOWED_TARGETS', '10.0.0.0/33', 'CIDR block'],
  ['WEBHOOK_ALLOWED_TARGETS', 'http://internal.example', 'host'],
  ['WEBHOOK_CONCURRENCY', '0', 'a whole number from 1'],
  ['LOG_LEVEL', 'verbose', 'one of trace, debug, info, warn, error, fatal, silent'],
  ['METRICS_TOKEN', 'two words', 'letters, digits and signs of ASCII without spaces'],
  ['TRUST_PROXY', 'yes', 'one of true, false'],
  ['SECURITY_CONTACT', 'http://example.com/security', 'e-mail addresses, https addresses'],
  ['SECURITY_CONTACT', 'security@example.com\nExpires: 2000-01-01T00:00:00Z', 'e-mail addresses'],
  ['SECURITY_CONTACT', 'security@example.com,', 'e-mail addresses'],
  ['BACKUP_KEEP', '0', 'a whole number from 1 to 1000'],
  ['BACKUP_HOUR', '24', 'a whole number from 0 to 23'],
  ['BACKUP_TRIAL', 'daily', 'one of weekly, never'],
  ['KEEP_EVENTS_DAYS', '30', 'a whole number from 31 to 400'],
  ['KEEP_AUDIT_LOG_DAYS', '7', 'a whole number from 30 to 3650'],
  ['KEEP_ANSWERS_HOURS', '1.5', 'a whole number from 24 to 720'],
  ['KEEP_SIGN_IN_ATTEMPTS_HOURS', '1', 'a whole number from 24 to 720'],
  ['KEEP_MAILS_DAYS', '3', 'a whole number from 4 to 365'],
  ['KEEP_DELIVERY_LOG_DAYS', '31', 'less than the 31 days of KEEP_EVENTS_DAYS'],
  ['SMTP_URL', 'mail.example.com', 'an address such as smtps://'],
  ['SMTP_URL', 'https://mail.example.com', 'an address such as smtps://'],
  ['OUTBOUND_PROXY', 'proxy.example:3128', 'an address without a path such as http://'],
  ['OUTBOUND_PROXY', 'socks5://proxy.example', 'an address without a path'],
  ['OUTBOUND_PROXY', 'http://user:100%@proxy.example', 'an address without a path .*%25'],
])('%s=%s is refused in one line that says what is accepted (rule operator 6)', (name, value, accepted) => {
  const refused = () => readConfiguration({ [name]: value });
  expect(refused).toThrow(new RegExp(`^${name} .*${accepted}`));
  expect(refused).not.toThrow(/\n/);
});

test('SMTP_URL needs a sender, MAIL_FROM', () => {
  const SMTP_URL = 'smtps://user:password@mail.example.com:465';
  for (const MAIL_FROM of ['', 'Dealkeep', 'crm@', 'A <crm@example.com>\r\nBcc: b@example.com']) {
    expect(() => readConfiguration({ SMTP_URL, MAIL_FROM })).toThrow(/^MAIL_FROM takes the sender/);
  }
  for (const from of ['crm@example.com', 'Dealkeep <crm@example.com>']) {
    expect(readConfiguration({ SMTP_URL, MAIL_FROM: from }).mail).toEqual({ url: SMTP_URL, from });
  }
  expect(readConfiguration({ MAIL_FROM: 'crm@example.com' }).mail).toBeUndefined();
});

test('SECRETS_KEY is required with DATABASE_URL; several are a rotation (rule operator 14)', () => {
  expect(() => readConfiguration(database)).toThrow(/^SECRETS_KEY is required with DATABASE_URL/);
  expect(readConfiguration({ ...database, SECRETS_KEY: `${key}, ${key}` }).databaseUrl).toBe(
    database.DATABASE_URL,
  );
});

test('an error never repeats what is secret', () => {
  const refused = (variables: Record<string, string>) => () => readConfiguration(variables);
  expect(refused({ DATABASE_URL: 'postgres//user:hidden@db' })).not.toThrow(/hidden/);
  expect(refused({ SECRETS_KEY: 'hidden' })).not.toThrow(/hidden/);
  expect(refused({ OUTBOUND_PROXY: 'ftp://user:hidden@proxy.example' })).not.toThrow(/hidden/);
});

test('PostgreSQL 15 is the oldest that is accepted (rule operator 12)', () => {
  expect(() => checkPostgresVersion(15)).not.toThrow();
  expect(() => checkPostgresVersion(14)).toThrow(/^DATABASE_URL takes .* PostgreSQL 15 or newer, .* 14$/);
});

describe('a bad variable (rules operator 6 and 28)', () => {
  test.each([
    ['the start', ['start']],
    ['a command', ['organizations', 'list', '--json']],
  ])('ends %s with 78 and nothing but its line', async (_, args) => {
    const { code, stdout, stderr } = await dealkeep(args, { PORT: 'three\nthousand' });
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(/^PORT /);
  });

  test('a HOST that is not of this machine ends the start likewise', async () => {
    const { code, stderr } = await dealkeep(['start'], { ...(await ownDatabase()), HOST: '203.0.113.7' });
    expect(code).toBe(78);
    expect(stderr).toMatch(oneLine);
    expect(stderr).toMatch(/^HOST .*203\.0\.113\.7/);
  });
});
