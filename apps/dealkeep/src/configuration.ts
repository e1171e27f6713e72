import { resolve } from 'node:path';
import {
  type AllowedTargets,
  type Environment,
  type OutboundProxy,
  parseAllowedTargets,
  parseDatabaseAddress,
  parseOutboundProxy,
  parseSecretsKey,
} from '@dealkeep/core';
import { ConfigurationError } from './configuration-error.ts';
import { refuseMisspelt } from './misspelt-variable.ts';

export type Role = 'api' | 'worker' | 'console';
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

/** What the environment says, checked. */
export interface Configuration {
  port: number;
  host: string;
  /** The public address, without a trailing slash; undefined: `localOrigin` of the port that is listened on. */
  origin: string | undefined;
  /** Undefined: embedded PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined;
  /** Of the role that owns the tables, for migrations alone; undefined: `databaseUrl` leads to the owner. */
  databaseOwnerUrl: string | undefined;
  /** Of PostgreSQL itself, where `databaseUrl` leads through a pooler; undefined: it leads there. */
  databaseDirectUrl: string | undefined;
  databasePool: number;
  /** Whether a start brings the operator's own database up to date. */
  migrate: boolean;
  /** For how long a process that is to end still answers, so that a load balancer looks elsewhere. */
  drainSeconds: number;
  /** Absolute. */
  dataDir: string;
  roles: ReadonlySet<Role>;
  environment: Environment;
  /** As given; undefined with the embedded database means generated in `dataDir`. */
  secretsKey: string | undefined;
  allowedTargets: AllowedTargets;
  /** What deliveries go through, with its credentials; undefined: directly. */
  outboundProxy: OutboundProxy | undefined;
  webhookConcurrency: number;
  /** Neither webhooks nor mails are sent by this process. */
  deliveriesHeld: boolean;
  /** Where mail goes; undefined: to the log. */
  mail: { url: string; from: string } | undefined;
  /** Bearer token of `/metrics`; undefined: no `/metrics`. */
  metricsToken: string | undefined;
  logLevel: LogLevel;
  /** Whether every request is told in the log. */
  accessLog: boolean;
  /** Whether `X-Forwarded-*` is believed. */
  trustProxy: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

const roles: readonly Role[] = ['api', 'worker', 'console'];
const logLevels: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
/** Deliveries in flight: measured to keep healthy receivers under 50 ms beside 200 hanging ones. */
const usualConcurrency = 200;

/** Reads the environment. Raises ConfigurationError with one line about the first bad variable. */
export function readConfiguration(variables: Variables): Configuration {
  const names = new Set<string>();
  try {
    return read((name) => {
      names.add(name);
      // An empty variable, as `.env` files often have, is one that is not set.
      return variables[name] || undefined;
    });
  } finally {
    // Rather than what a slip has led to.
    refuseMisspelt(variables, names);
  }
}

function read(value: Value): Configuration {
  const port = integer(value, 'PORT', 3000, 0, 65_535);
  const databaseUrl = databaseAddress(value, 'DATABASE_URL');
  const databaseOwnerUrl = databaseAddress(value, 'DATABASE_OWNER_URL');
  if (databaseOwnerUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigurationError(
      'DATABASE_OWNER_URL',
      'stands beside DATABASE_URL, which leads to the same database with another role',
    );
  }
  const databaseDirectUrl = databaseAddress(value, 'DATABASE_DIRECT_URL');
  if (databaseDirectUrl !== undefined && databaseUrl === undefined) {
    throw new ConfigurationError(
      'DATABASE_DIRECT_URL',
      'stands beside DATABASE_URL, which leads to the same database through a pooler',
    );
  }
  const secretsKey = value('SECRETS_KEY');
  if (secretsKey !== undefined) {
    attempt('SECRETS_KEY', () => parseSecretsKey(secretsKey));
  } else if (databaseUrl !== undefined) {
    throw new ConfigurationError(
      'SECRETS_KEY',
      'is required with DATABASE_URL: 32 bytes in base64, for example from `openssl rand -base64 32`',
    );
  }
  const proxy = value('OUTBOUND_PROXY');
  const allowed = value('WEBHOOK_ALLOWED_TARGETS') ?? '';
  return {
    port,
    host: value('HOST') ?? '127.0.0.1',
    origin: origin(value('ORIGIN')),
    databaseUrl,
    databaseOwnerUrl,
    databaseDirectUrl,
    migrate: choice(value, 'MIGRATE', ['true', 'false'], 'false') === 'true',
    drainSeconds: integer(value, 'DRAIN_SECONDS', 5, 0, 3600),
    databasePool: integer(value, 'DATABASE_POOL', 10, 2, 1000),
    dataDir: resolve(value('DATA_DIR') ?? '.data'),
    roles: new Set(choices(value, 'ROLES', roles)),
    environment: choice(value, 'ENVIRONMENT', ['live', 'test'], 'live'),
    secretsKey,
    allowedTargets: attempt('WEBHOOK_ALLOWED_TARGETS', () => parseAllowedTargets(allowed)),
    outboundProxy:
      proxy === undefined ? undefined : attempt('OUTBOUND_PROXY', () => parseOutboundProxy(proxy)),
    webhookConcurrency: integer(value, 'WEBHOOK_CONCURRENCY', usualConcurrency, 1, 10_000),
    deliveriesHeld: choice(value, 'DELIVERIES', ['sending', 'held'], 'sending') === 'held',
    mail: mail(value),
    metricsToken: metricsToken(value('METRICS_TOKEN')),
    logLevel: choice(value, 'LOG_LEVEL', logLevels, 'info'),
    accessLog: choice(value, 'ACCESS_LOG', ['true', 'false'], 'false') === 'true',
    trustProxy: choice(value, 'TRUST_PROXY', ['true', 'false'], 'false') === 'true',
  };
}

type Value = (name: string) => string | undefined;

function databaseAddress(value: Value, name: string): string | undefined {
  const address = value(name);
  if (address !== undefined) attempt(name, () => parseDatabaseAddress(address));
  return address;
}

function integer(value: Value, name: string, usual: number, least: number, most: number): number {
  const text = value(name);
  if (text === undefined) return usual;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new ConfigurationError(
    name,
    `takes a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`,
  );
}

function choice<Choice extends string>(
  value: Value,
  name: string,
  accepted: readonly Choice[],
  usual: Choice,
): Choice {
  const text = value(name);
  if (text === undefined) return usual;
  const found = accepted.find((each) => each === text);
  if (found) return found;
  throw new ConfigurationError(name, `takes one of ${accepted.join(', ')}, not ${JSON.stringify(text)}`);
}

function choices<Choice extends string>(
  value: Value,
  name: string,
  accepted: readonly Choice[],
): readonly Choice[] {
  const text = value(name);
  if (text === undefined) return accepted;
  return text.split(',').map((part) => {
    const found = accepted.find((each) => each === part.trim());
    if (found) return found;
    throw new ConfigurationError(
      name,
      `takes any of ${accepted.join(', ')}, separated by commas, not ${JSON.stringify(text)}`,
    );
  });
}

function mail(value: Value): Configuration['mail'] {
  const url = value('SMTP_URL');
  const from = value('MAIL_FROM');
  if (url === undefined) return undefined;
  if (!/^smtps?:\/\/[^/]/.test(url) || !URL.canParse(url)) {
    throw new ConfigurationError(
      'SMTP_URL',
      'takes an address such as smtps://user:password@mail.example.com:465',
    );
  }
  if (from === undefined || !/^(?:[^<>@\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from)) {
    throw new ConfigurationError(
      'MAIL_FROM',
      'takes the sender of mails, such as Dealkeep <crm@example.com>; it is required with SMTP_URL',
    );
  }
  return { url, from };
}

/** The address that links lead to as long as ORIGIN says no other. */
export const localOrigin = (port: number): string => `http://localhost:${port}`;

function origin(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = parseOrigin(text);
  if (parsed !== undefined) return parsed;
  throw new ConfigurationError(
    'ORIGIN',
    `takes an address without a path such as https://crm.example.com, not ${JSON.stringify(text)}`,
  );
}

/** An http or https address with nothing behind its host, without a trailing slash; undefined for anything else. */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  const bare = url && url.pathname === '/' && !url.search && !url.hash && !url.username;
  return bare && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}

/** What a header can carry as Bearer. */
function metricsToken(text: string | undefined): string | undefined {
  if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text;
  throw new ConfigurationError('METRICS_TOKEN', 'takes letters, digits and signs of ASCII without spaces');
}

function attempt<Result>(name: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    throw new ConfigurationError(name, error instanceof Error ? error.message : String(error));
  }
}
