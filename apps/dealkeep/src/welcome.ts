import { isIPv6 } from 'node:net';
import { basePath } from '@dealkeep/contract';
import type { Logger } from 'pino';
import { type Configuration, localOrigin } from './configuration.ts';
import type { DemoAccess } from './demo-organization.ts';

interface Started {
  demo: DemoAccess | undefined;
  /** What is listened on; undefined without the API. */
  port: number | undefined;
}

/**
 * Says that the start is complete: the addresses; and once, how to get in. Where stdout is a log for programs, the
 * addresses are one of its lines, whatever the LOG_LEVEL; the key of the demo organization is none.
 */
export function announce(configuration: Configuration, log: Logger, { demo, port }: Started): void {
  const address = port === undefined ? undefined : reachableAddress(configuration, port);
  const addresses = address && {
    api: `${address}${basePath}`,
    docs: `${address}/docs`,
    openapi: `${address}/api/v1/openapi/public-v1.yaml`,
  };
  if (!process.stdout.isTTY && !demo) {
    log
      .child({}, { level: 'info' })
      .info({ roles: [...configuration.roles], ...addresses }, 'Dealkeep is ready.');
    return;
  }
  const lines = ['', 'Dealkeep is ready.', ''];
  if (addresses) {
    lines.push(
      `  API         ${addresses.api}`,
      `  Reference   ${addresses.docs}`,
      `  OpenAPI     ${addresses.openapi}`,
    );
  } else lines.push(`  It works in the background: ${[...configuration.roles].join(', ')}`);
  if (demo) {
    lines.push(
      '',
      'A demo organization with fictional data was made. Its API key is shown only now:',
      '',
      `  API key     ${demo.token}`,
    );
  }
  if (demo && addresses) {
    lines.push(
      '',
      'Try it:',
      '',
      `  curl -H 'Authorization: Bearer ${demo.token}' '${addresses.api}/leads?limit=3'`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}

const localHosts = ['127.0.0.1', 'localhost', '0.0.0.0', '::'];

function reachableAddress({ origin, host }: Configuration, port: number): string {
  if (origin !== undefined) return origin;
  if (localHosts.includes(host)) return localOrigin(port);
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}
