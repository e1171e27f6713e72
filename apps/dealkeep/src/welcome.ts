import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { basePath, mcpPath } from '@dealkeep/contract';
import type { Logger } from 'pino';
import { type Configuration, localOrigin } from './configuration.ts';
import { demoLoginFile, demoLoginLines, isReadAtOnce } from './demo-login.ts';
import type { DemoAccess } from './demo-organization.ts';
import type { Output } from './surroundings.ts';

interface Started {
  demo: DemoAccess | undefined;
  /** What is listened on; undefined where only the worker runs. */
  port: number | undefined;
}

/**
 * Says that the start is complete: the addresses; and once, how to get in. Where stdout is a log for programs, the
 * addresses are one of its lines, whatever the LOG_LEVEL; the demo organization's login and key stand in a file.
 */
export function announce(
  configuration: Configuration,
  log: Logger,
  stdout: Output,
  { demo, port }: Started,
): void {
  const address = port === undefined ? undefined : reachableAddress(configuration, port);
  const { roles } = configuration;
  const addresses = address === undefined ? undefined : addressesOf(roles, address);
  if (!stdout.isTTY && !demo) {
    log.child({}, { level: 'info' }).info({ roles: [...roles], ...addresses }, 'Dealkeep is ready.');
    return;
  }
  const lines = ['', 'Dealkeep is ready.', ''];
  if (!addresses) lines.push(`  It works in the background: ${[...roles].join(', ')}`);
  if (addresses?.console) lines.push(`  Console     ${addresses.console}`);
  if (addresses?.api) {
    lines.push(
      `  API         ${addresses.api}`,
      `  Reference   ${addresses.docs}`,
      `  OpenAPI     ${addresses.openapi}`,
      `  Assistants  ${addresses.assistants}`,
    );
  }
  if (configuration.databaseUrl === undefined) {
    const page = 'docs/backup.md tells how to back it up and how to move it to a server';
    lines.push(`  Database    ${join(configuration.dataDir, 'postgres')} (${page})`);
  }
  if (demo) {
    lines.push(
      '',
      'A demo organization with fictional data was made. How to get in is shown only now:',
      '',
      ...(isReadAtOnce(stdout)
        ? demoLoginLines(demo).map((line) => `  ${line}`)
        : [`  Login       ${demoLoginFile(configuration)} (with an API key; only you can read it)`]),
    );
  }
  if (demo && addresses?.api) {
    const key = isReadAtOnce(stdout) ? demo.token : `$(${keyOf(demoLoginFile(configuration))})`;
    lines.push(
      '',
      'Try it:',
      '',
      `  curl -H "Authorization: Bearer ${key}" '${addresses.api}/leads?limit=3'`,
    );
  }
  stdout.write(`${lines.join('\n')}\n\n`);
}

/** A command that prints the key of the file, whatever the name of its folder. */
const keyOf = (file: string): string => `sed -n 's/^API key *//p' '${file.replaceAll("'", `'\\''`)}'`;

interface Addresses {
  console?: string;
  api?: string;
  docs?: string;
  openapi?: string;
  /** Where AI assistants connect. */
  assistants?: string;
}

const addressesOf = (roles: Configuration['roles'], address: string): Addresses => ({
  ...(roles.has('console') ? { console: address } : {}),
  ...(roles.has('api')
    ? {
        api: `${address}${basePath}`,
        docs: `${address}/docs`,
        openapi: `${address}/api/v1/openapi/public-v1.yaml`,
        assistants: `${address}${mcpPath}`,
      }
    : {}),
});

const localHosts = ['127.0.0.1', 'localhost', '0.0.0.0', '::'];

function reachableAddress({ origin, host }: Configuration, port: number): string {
  if (origin !== undefined) return origin;
  if (localHosts.includes(host)) return localOrigin(port);
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
