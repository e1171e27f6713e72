import { once } from 'node:events';
import { connect as connectTo } from 'node:net';
import { tlsAskedMs } from '../operating-limits.ts';

/** How a connection is encrypted, as libpq names it (PostgreSQL manual, 34.19). */
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
type SslMode = (typeof sslModes)[number];

/** The values of libpq's `target_session_attrs` that suit a program that writes. */
const sessionAttributes = ['any', 'read-write', 'primary'] as const;

export interface DatabaseHost {
  /** A name, an address without brackets, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** What an address of a database says, as libpq reads it (PostgreSQL manual, 34.1.1.2). */
export interface DatabaseAddress {
  /** Tried one after the other. */
  readonly hosts: readonly [DatabaseHost, ...DatabaseHost[]];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly sslMode: SslMode;
  /** False behind a pooler that forgets prepared statements. */
  readonly prepare: boolean;
  /** Everything else behind the question mark: settings with which a connection begins. */
  readonly settings: Readonly<Record<string, string>>;
}

const form = 'takes an address such as postgres://user:password@host:5432/database';
const usualPort = 5432;

/**
 * Reads an address: one host or several with commas between them, or the folder of a Unix socket, percent-encoded in
 * front or as `?host=`. Throws an Error that says what is accepted, and repeats nothing that may be secret.
 */
export function parseDatabaseAddress(text: string): DatabaseAddress {
  const parts = /^postgres(?:ql)?:\/\/([^/?#]*)(?:\/([^?#]*))?(?:\?(.*))?$/.exec(text);
  if (!parts) throw new Error(form);
  const [, authority = '', path = '', query = ''] = parts;
  const end = authority.lastIndexOf('@');
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(authority.slice(0, Math.max(end, 0))) ?? [];
  const parameters = new Map(new URLSearchParams(query));
  const take = (name: string): string | undefined => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value || undefined;
  };
  const ssl = take('ssl');
  const sslMode = oneOf('sslmode', sslModes, take('sslmode') ?? sslModeOf(ssl));
  // The value is checked but not used: of several servers, the one that takes writes is always wanted.
  oneOf('target_session_attrs', sessionAttributes, take('target_session_attrs') ?? 'any');
  for (const name of ofClients) take(name);
  const hosts = hostsOf(take('host')?.split(',') ?? decoded(authority.slice(end + 1)), take('port'));
  return {
    hosts,
    user: take('user') ?? (decode(user) || undefined),
    password: take('password') ?? (password === undefined ? undefined : decode(password)),
    database: take('dbname') ?? (decode(path) || undefined),
    sslMode,
    prepare: take('prepare') !== 'false',
    settings: Object.fromEntries(parameters),
  };
}

/** What libpq reads itself, and a server would not know. */
const ofClients = [
  ...['connect_timeout', 'channel_binding', 'gssencmode', 'krbsrvname', 'load_balance_hosts', 'passfile'],
  ...[
    'sslrootcert',
    'sslcert',
    'sslkey',
    'sslsni',
    'sslnegotiation',
    'ssl_min_protocol_version',
    'require_auth',
  ],
  ...['keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count', 'tcp_user_timeout'],
];

/** `ssl=true` is what other clients call it. */
const sslModeOf = (ssl = 'false'): string => (ssl === 'true' ? 'require' : ssl === 'false' ? 'disable' : ssl);

const decoded = (hosts: string): string[] => hosts.split(',').map(decode);

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(`${form}; in a user's name or a password, % is %25 and @ is %40`);
  }
}

function hostsOf(texts: readonly string[], ports = ''): DatabaseAddress['hosts'] {
  const separate = ports.split(',');
  const [first = { host: 'localhost', port: usualPort }, ...others] = texts.map((text, at) =>
    hostOf(text, separate[at] || separate[0] || String(usualPort)),
  );
  return [first, ...others];
}

function hostOf(text: string, usual: string): DatabaseHost {
  if (text.startsWith('/')) return { host: text, port: portOf(usual) };
  const parts = /^(?:\[([\da-f:.%a-z]+)\]|([^:[\]\s]*))(?::(\d+))?$/i.exec(text);
  if (!parts) throw new Error(form);
  const [, bracketed, plain, port] = parts;
  return { host: bracketed || plain || 'localhost', port: portOf(port ?? usual) };
}

function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new Error(`${form}, with ports from 1 to 65535`);
}

function oneOf<Accepted extends string>(
  name: string,
  accepted: readonly Accepted[],
  given: string,
): Accepted {
  const found = accepted.find((each) => each === given);
  if (found) return found;
  throw new Error(`takes ${name}=${accepted.join(', ')}, not ${JSON.stringify(given)}`);
}

/** Whether a host is the folder of a Unix socket. */
export const isSocketFolder = ({ host }: DatabaseHost): boolean => host.startsWith('/');

/** PostgreSQL manual, 54.7, SSLRequest. */
const request = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]);

/** Whether a server takes encrypted connections. Rejects when it cannot be reached. */
export async function offersTls({ host, port }: DatabaseHost): Promise<boolean> {
  const socket = connectTo(port, host);
  try {
    const signal = AbortSignal.timeout(tlsAskedMs);
    await once(socket, 'connect', { signal });
    socket.write(request);
    const [answer]: Buffer[] = await once(socket, 'data', { signal });
    return answer?.toString('latin1').startsWith('S') === true;
  } finally {
    socket.destroy();
  }
}

const demanding: readonly DatabaseAddress['sslMode'][] = ['require', 'verify-ca', 'verify-full'];

/** Rejects when an address asks for encryption, and a server that it names says that it offers none. */
export async function requireOfferedTls(url: string): Promise<void> {
  const { hosts, sslMode } = parseDatabaseAddress(url);
  if (!demanding.includes(sslMode)) return;
  for (const each of hosts.filter((host) => !isSocketFolder(host))) {
    // A server that cannot be reached is reported later, by whoever connects to it.
    if (await offersTls(each).catch(() => true)) continue;
    const place = `${each.host}:${each.port}`;
    throw Object.assign(
      new Error(`sslmode=${sslMode} asks for encryption (TLS), which the server at ${place} does not offer`),
      { code: 'TLS_NOT_OFFERED' },
    );
  }
}
