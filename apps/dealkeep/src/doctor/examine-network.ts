import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { createServer, isIP, isIPv6 } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkProxy, examinedWithinMs } from '@dealkeep/core/foundations';
import type { Configuration } from '../configuration.ts';
import type { Finding } from './finding.ts';

const publicName = 'example.com';

/** Who listens at HOST and PORT, if anybody. */
export async function serverFinding({ roles, host, port }: Configuration): Promise<Finding> {
  if (!roles.has('api')) return { check: 'Server', state: 'ok', finding: 'this process is not to listen' };
  const place = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const ready = await fetch(`http://${place}/readyz`, { signal: AbortSignal.timeout(examinedWithinMs) }).then(
    (answer) => answer.json(),
    () => undefined,
  );
  if (ready !== undefined) {
    const status =
      typeof ready === 'object' && ready !== null && 'status' in ready ? ready.status : undefined;
    if (status === 'ready') return { check: 'Server', state: 'ok', finding: `it runs at ${place}` };
    const mend = 'See the log of the server that runs there, or set another PORT.';
    return { check: 'Server', state: 'warning', finding: `what runs at ${place} is not ready`, mend };
  }
  try {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    server.close();
    return { check: 'Server', state: 'ok', finding: `none runs at ${place}, which is free` };
  } catch (error) {
    const finding = `${place} cannot be listened on: ${reasonOf(error)}`;
    return {
      check: 'Server',
      state: 'failed',
      finding,
      mend: 'End what uses it, or set another HOST or PORT.',
    };
  }
}

export async function dnsFinding(): Promise<Finding> {
  const failure = await resolutionFailure(publicName);
  if (!failure) return { check: 'DNS', state: 'ok', finding: 'public names resolve' };
  return {
    check: 'DNS',
    state: 'warning',
    finding: `${publicName} does not resolve (${failure})`,
    mend: 'Give this machine a resolver; without one, webhooks reach only names that it knows by itself.',
  };
}

/** Whether ORIGIN, where every link leads, comes back to a Dealkeep. */
export async function originFinding({ origin, roles }: Configuration): Promise<Finding> {
  const check = 'Origin';
  if (origin === undefined || !roles.has('api')) {
    return { check, state: 'ok', finding: 'there is no public address to try' };
  }
  try {
    const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(examinedWithinMs) });
    const { status } = answer;
    const said: unknown = await answer.json().catch(() => undefined);
    if (typeof said === 'object' && said !== null && 'status' in said && said.status === 'alive') {
      return { check, state: 'ok', finding: `${origin} leads to Dealkeep` };
    }
    return {
      check,
      state: 'warning',
      finding: `${origin}/healthz answers ${status}, but no Dealkeep does`,
      mend: 'Let the proxy in front pass everything on to HOST and PORT, or correct ORIGIN.',
    };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    return {
      check,
      state: 'warning',
      finding: `${origin} does not answer this machine: ${reasonOf(cause)}`,
      mend: 'Start the server and the proxy in front of it, and check name, port and certificate of ORIGIN; links in mails and metadata lead there.',
    };
  }
}

/** Whether the collector takes traces; it is sent none. */
export async function tracesFinding({ tracesEndpoint }: Configuration): Promise<Finding> {
  const check = 'Traces';
  if (tracesEndpoint === undefined) return { check, state: 'ok', finding: 'none are told' };
  const mend =
    'Start the collector, or correct OTEL_EXPORTER_OTLP_ENDPOINT (OTLP by HTTP is mostly port 4318) and OTEL_EXPORTER_OTLP_HEADERS. Nothing else waits for it.';
  try {
    const { status } = await fetch(`${tracesEndpoint.replace(/\/+$/, '')}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"resourceSpans":[]}',
      signal: AbortSignal.timeout(examinedWithinMs),
    });
    // With headers of its own the exporter may get further than this does.
    if (status < 300 || status === 401 || status === 403) {
      return { check, state: 'ok', finding: `${tracesEndpoint} answers` };
    }
    return { check, state: 'warning', finding: `${tracesEndpoint} answers ${status}`, mend };
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    const finding = `${tracesEndpoint} does not answer: ${reasonOf(cause)}`;
    return { check, state: 'warning', finding, mend };
  }
}

/** Whether mails could be sent now; none is. */
export async function mailFinding({ mail }: Configuration): Promise<Finding> {
  const check = 'Mail';
  if (!mail) return { check, state: 'ok', finding: 'SMTP_URL is not set: mails are written to the log' };
  const { host } = new URL(mail.url);
  try {
    // Imported here alone, because nothing else of a command needs it.
    const { checkMailServer } = await import('@dealkeep/worker');
    await checkMailServer(mail);
    return { check, state: 'ok', finding: `${host} takes mails from us` };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      check,
      state: 'failed',
      finding: `${host} takes no mails: ${reason}`,
      mend: 'Correct SMTP_URL (smtp:// with port 587 or 25, smtps:// with 465; % in a password is %25, @ is %40), or let this machine out to that port. Mails wait for three days.',
    };
  }
}

/** Nothing answers there (RFC 5737); asked for where no public name resolves. */
const unusedAddress = '192.0.2.1';

/** Whether the proxy for deliveries lets us through. */
export async function proxyFinding({ outboundProxy }: Configuration): Promise<Finding> {
  const check = 'Outbound proxy';
  if (!outboundProxy) return { check, state: 'ok', finding: 'deliveries go without one' };
  const place = `${outboundProxy.host}:${outboundProxy.port}`;
  const address = await lookup(publicName, { family: 4 }).then(
    (found) => found.address,
    () => unusedAddress,
  );
  const signal = AbortSignal.timeout(examinedWithinMs);
  try {
    await checkProxy(outboundProxy, address, signal);
    return { check, state: 'ok', finding: `${place} lets deliveries through` };
  } catch (error) {
    if (signal.aborted) {
      const finding = `${place} gave no connection to ${address} within 5 s`;
      const mend = 'See the log of the proxy: it must allow CONNECT to addresses, and reach them.';
      return { check, state: 'warning', finding, mend };
    }
    const reason = error instanceof Error ? error.message : String(error);
    const mend =
      'Correct OUTBOUND_PROXY, with user and password where the proxy asks for them (status 407), and let it allow CONNECT to addresses.';
    return { check, state: 'failed', finding: `${place}: ${reason}`, mend };
  }
}

/** @param allowed WEBHOOK_ALLOWED_TARGETS, known to be valid */
export async function targetFinding(allowed: string): Promise<Finding> {
  const check = 'Allowed targets';
  const entries = allowed.split(/[\s,]+/).filter(Boolean);
  if (entries.length === 0)
    return { check, state: 'ok', finding: 'webhooks go to public https addresses only' };
  const names = entries.flatMap(hostName);
  const failures = await Promise.all(
    names.map(async (name) => {
      const failure = await resolutionFailure(name);
      return failure ? [`${name} (${failure})`] : [];
    }),
  );
  const unresolved = failures.flat();
  if (unresolved.length === 0) {
    return { check, state: 'ok', finding: `webhooks may also go to ${entries.join(', ')}` };
  }
  return {
    check,
    state: 'warning',
    finding: `some do not resolve: ${unresolved.join(', ')}`,
    mend: 'Correct or remove them in WEBHOOK_ALLOWED_TARGETS, or make this machine resolve them.',
  };
}

/** The name of a `host` or `host:port` entry; none for blocks and addresses, which need no resolving. */
function hostName(entry: string): string[] {
  if (entry.includes('/') || isIP(entry)) return [];
  const name = URL.parse(`http://${entry}/`)?.hostname.replace(/^\[(.*)\]$/, '$1') ?? entry;
  return isIP(name) ? [] : [name];
}

/** Why a name does not resolve; undefined when it does. */
function resolutionFailure(name: string): Promise<string | undefined> {
  const resolved = lookup(name).then(() => undefined, reasonOf);
  return Promise.race([
    resolved,
    sleep(examinedWithinMs, `no answer within ${examinedWithinMs / 1000} s`, { ref: false }),
  ]);
}

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
