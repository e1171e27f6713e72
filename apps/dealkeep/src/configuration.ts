import { resolve } from 'node:path';
import {
  type AllowedTargets,
  backupBounds,
  type Environment,
  type OutboundProxy,
  parseAllowedTargets,
  parseDatabaseAddress,
  parseOutboundProxy,
  parseSecretsKey,
  type Retention,
  retentionBounds,
  storageQuotaBoundsMb,
} from '@dealkeep/core/foundations';
import type { BackupPlan } from '@dealkeep/core/installation';
import { z } from 'zod';
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
  /** URIs of whom to tell of a security hole; undefined: no `/.well-known/security.txt`. */
  securityContacts: readonly string[] | undefined;
  /** Where traces go, by OTLP; undefined: there are none. */
  tracesEndpoint: string | undefined;
  retention: Retention;
  /** Where and when backups are made by the clock; undefined: there are none. */
  backups: Pick<BackupPlan, 'folder' | 'keep' | 'hour' | 'trial'> | undefined;
  /** What the rows of an organization may take that has no quota of its own; undefined: as much as they want. */
  storageQuotaMb: number | undefined;
  logLevel: LogLevel;
  /** Whether every request is told in the log. */
  accessLog: boolean;
  /** Whether `X-Forwarded-*` is believed. */
  trustProxy: boolean;
}

type Variables = Readonly<Record<string, string | undefined>>;

const roles = ['api', 'worker', 'console'] as const satisfies readonly Role[];
const logLevels = [
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
  'silent',
] as const satisfies readonly LogLevel[];

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: ({ input }) => `takes a whole number from ${least} to ${most}, not ${JSON.stringify(input)}`,
    })
    .transform(Number);

const between = ({ least, usual, most }: { least: number; usual: number; most: number }) =>
  wholeNumber(least, most).default(usual);

const kept = (what: keyof Retention) => between(retentionBounds[what]);

const oneOf = <const Choices extends readonly string[]>(choices: Choices) =>
  z.enum(choices, {
    error: ({ input }) => `takes one of ${choices.join(', ')}, not ${JSON.stringify(input)}`,
  });

const yesOrNo = () =>
  oneOf(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true');

/** What a function reads, which throws an Error that says what is accepted. */
const readBy = <Result>(read: (text: string) => Result) =>
  z.string().transform((text, context) => {
    try {
      return read(text);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });

/** The text as it is, when the function takes it. */
const acceptedBy = (read: (text: string) => unknown) =>
  readBy((text) => {
    read(text);
    return text;
  });

/** Every variable of Dealkeep by its name. */
const environmentVariables = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  ORIGIN: readBy(requireOrigin).optional(),
  DATABASE_URL: acceptedBy(parseDatabaseAddress).optional(),
  DATABASE_OWNER_URL: acceptedBy(parseDatabaseAddress).optional(),
  DATABASE_DIRECT_URL: acceptedBy(parseDatabaseAddress).optional(),
  DATABASE_POOL: wholeNumber(2, 1000).default(10),
  SECRETS_KEY: acceptedBy(parseSecretsKey).optional(),
  MIGRATE: yesOrNo(),
  DRAIN_SECONDS: wholeNumber(0, 3600).default(5),
  DATA_DIR: z
    .string()
    .default('.data')
    .transform((folder) => resolve(folder)),
  ROLES: readBy(readRoles).default(new Set(roles)),
  ENVIRONMENT: oneOf(['live', 'test']).default('live'),
  WEBHOOK_ALLOWED_TARGETS: readBy(parseAllowedTargets).prefault(''),
  OUTBOUND_PROXY: readBy(parseOutboundProxy).optional(),
  // Deliveries in flight: measured to keep healthy receivers under 50 ms beside 200 hanging ones.
  WEBHOOK_CONCURRENCY: wholeNumber(1, 10_000).default(200),
  DELIVERIES: oneOf(['sending', 'held']).default('sending'),
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:\/\/[^/]/.test(text) && URL.canParse(text), {
      error: 'takes an address such as smtps://user:password@mail.example.com:465',
    })
    .optional(),
  MAIL_FROM: z.string().optional(),
  // What a header can carry as Bearer.
  METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]+$/, { error: 'takes letters, digits and signs of ASCII without spaces' })
    .optional(),
  SECURITY_CONTACT: readBy(readSecurityContacts).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .string()
    .refine((text) => /^https?:\/\/[^/]/.test(text) && URL.canParse(text), {
      error: 'takes the address of a collector that speaks OTLP by HTTP, such as http://127.0.0.1:4318',
    })
    .optional(),
  BACKUP_DIR: z
    .string()
    .transform((folder) => resolve(folder))
    .optional(),
  BACKUP_KEEP: between(backupBounds.keep),
  BACKUP_HOUR: between(backupBounds.hour),
  BACKUP_TRIAL: oneOf(['weekly', 'never']).default('weekly'),
  KEEP_EVENTS_DAYS: kept('eventDays'),
  KEEP_DELIVERY_LOG_DAYS: kept('deliveryLogDays'),
  KEEP_AUDIT_LOG_DAYS: kept('auditDays'),
  KEEP_ANSWERS_HOURS: kept('answerHours'),
  KEEP_SIGN_IN_ATTEMPTS_HOURS: kept('signInAttemptHours'),
  KEEP_MAILS_DAYS: kept('mailDays'),
  STORAGE_QUOTA_MB: wholeNumber(storageQuotaBoundsMb.least, storageQuotaBoundsMb.most).optional(),
  LOG_LEVEL: oneOf(logLevels).default('info'),
  ACCESS_LOG: yesOrNo(),
  TRUST_PROXY: yesOrNo(),
});

/** The names of all variables. */
export const variableNames: ReadonlySet<string> = new Set(Object.keys(environmentVariables.shape));

/** Reads the environment. Raises ConfigurationError with one line about the first bad variable. */
export function readConfiguration(variables: Variables): Configuration {
  // First, because whatever else is wrong may be what a slip has led to.
  refuseMisspelt(variables, variableNames);
  // An empty variable, as `.env` files often have, is one that is not set.
  const given = Object.fromEntries([...variableNames].map((name) => [name, variables[name] || undefined]));
  const { data, error } = environmentVariables.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (!data) throw new ConfigurationError(String(issue?.path[0]), issue?.message ?? 'cannot be read');
  requireTogether(data);
  return {
    port: data.PORT,
    host: data.HOST,
    origin: data.ORIGIN,
    databaseUrl: data.DATABASE_URL,
    databaseOwnerUrl: data.DATABASE_OWNER_URL,
    databaseDirectUrl: data.DATABASE_DIRECT_URL,
    databasePool: data.DATABASE_POOL,
    migrate: data.MIGRATE,
    drainSeconds: data.DRAIN_SECONDS,
    dataDir: data.DATA_DIR,
    roles: data.ROLES,
    environment: data.ENVIRONMENT,
    secretsKey: data.SECRETS_KEY,
    allowedTargets: data.WEBHOOK_ALLOWED_TARGETS,
    outboundProxy: data.OUTBOUND_PROXY,
    webhookConcurrency: data.WEBHOOK_CONCURRENCY,
    deliveriesHeld: data.DELIVERIES === 'held',
    mail: mailOf(data),
    metricsToken: data.METRICS_TOKEN,
    securityContacts: data.SECURITY_CONTACT,
    tracesEndpoint: data.OTEL_EXPORTER_OTLP_ENDPOINT,
    retention: retentionOf(data),
    backups: backupsOf(data),
    storageQuotaMb: data.STORAGE_QUOTA_MB,
    logLevel: data.LOG_LEVEL,
    accessLog: data.ACCESS_LOG,
    trustProxy: data.TRUST_PROXY,
  };
}

type Read = z.output<typeof environmentVariables>;

/** Raises ConfigurationError for a variable that stands without the one that it belongs to. */
function requireTogether(data: Read): void {
  if (data.DATABASE_URL === undefined) {
    const beside = 'stands beside DATABASE_URL, which leads to the same database';
    if (data.DATABASE_OWNER_URL !== undefined) {
      throw new ConfigurationError('DATABASE_OWNER_URL', `${beside} with another role`);
    }
    if (data.DATABASE_DIRECT_URL !== undefined) {
      throw new ConfigurationError('DATABASE_DIRECT_URL', `${beside} through a pooler`);
    }
  } else if (data.SECRETS_KEY === undefined) {
    throw new ConfigurationError(
      'SECRETS_KEY',
      'is required with DATABASE_URL: 32 bytes in base64, for example from `openssl rand -base64 32`',
    );
  }
}

/** Raises ConfigurationError for a log of deliveries that outlives the events that would be sent again from it. */
function retentionOf(data: Read): Retention {
  const [eventDays, deliveryLogDays] = [data.KEEP_EVENTS_DAYS, data.KEEP_DELIVERY_LOG_DAYS];
  if (deliveryLogDays >= eventDays) {
    throw new ConfigurationError(
      'KEEP_DELIVERY_LOG_DAYS',
      `takes less than the ${eventDays} days of KEEP_EVENTS_DAYS, because what is in the log can be sent again`,
    );
  }
  return {
    eventDays,
    deliveryLogDays,
    auditDays: data.KEEP_AUDIT_LOG_DAYS,
    answerHours: data.KEEP_ANSWERS_HOURS,
    signInAttemptHours: data.KEEP_SIGN_IN_ATTEMPTS_HOURS,
    mailDays: data.KEEP_MAILS_DAYS,
  };
}

const backupsOf = ({
  BACKUP_DIR: folder,
  BACKUP_KEEP: keep,
  BACKUP_HOUR: hour,
  BACKUP_TRIAL: trial,
}: Read): Configuration['backups'] => (folder === undefined ? undefined : { folder, keep, hour, trial });

function mailOf({ SMTP_URL: url, MAIL_FROM: from }: Read): Configuration['mail'] {
  if (url === undefined) return undefined;
  if (from === undefined || !/^(?:[^<>@\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(from)) {
    throw new ConfigurationError(
      'MAIL_FROM',
      'takes the sender of mails, such as Dealkeep <crm@example.com>; it is required with SMTP_URL',
    );
  }
  return { url, from };
}

function readRoles(text: string): ReadonlySet<Role> {
  const { data } = z.array(z.enum(roles)).safeParse(text.split(',').map((part) => part.trim()));
  if (data) return new Set(data);
  throw new Error(`takes any of ${roles.join(', ')}, separated by commas, not ${JSON.stringify(text)}`);
}

/** As RFC 9116, 2.5.3 has them: URIs, of the web with https alone. An e-mail address becomes one. */
function readSecurityContacts(text: string): readonly string[] {
  return text.split(',').map((part) => {
    const given = part.trim();
    const uri = /^[^\s:@]+@[^\s:@]+$/.test(given) ? `mailto:${given}` : given;
    if (/^(?:mailto:[^\s@]+@[^\s@]+|tel:\+[\d.-]+|https:\/\/[^\s/]\S*)$/.test(uri) && URL.canParse(uri))
      return uri;
    throw new Error(
      `takes e-mail addresses, https addresses and tel: numbers, separated by commas, not ${JSON.stringify(given)}`,
    );
  });
}

/** The address that links lead to as long as ORIGIN says no other. */
export const localOrigin = (port: number): string => `http://localhost:${port}`;

function requireOrigin(text: string): string {
  const origin = parseOrigin(text);
  if (origin !== undefined) return origin;
  throw new Error(
    `takes an address without a path such as https://crm.example.com, not ${JSON.stringify(text)}`,
  );
}

/** An http or https address with nothing behind its host, without a trailing slash; undefined for anything else. */
export function parseOrigin(text: string): string | undefined {
  const url = URL.parse(text);
  const bare = url && url.pathname === '/' && !url.search && !url.hash && !url.username;
  return bare && /^https?:$/.test(url.protocol) ? url.origin : undefined;
}
