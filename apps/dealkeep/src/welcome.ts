import { basePath } from '@dealkeep/contract';
import type { Configuration } from './configuration.ts';
import type { DemoAccess } from './demo-organization.ts';

/** What a start prints for people: the addresses; and once, how to get in. */
export function welcome(
  { origin, host, port: configuredPort }: Configuration,
  { demo, port }: { demo: DemoAccess | undefined; port: number | undefined },
): string {
  if (port === undefined) return '\nDealkeep works in the background.\n\n';
  // With PORT=0 the operating system chose one.
  const address = configuredPort === 0 ? `http://${host}:${port}` : origin;
  const lines = ['', 'Dealkeep is ready.', '', `  API         ${address}${basePath}`];
  lines.push(`  OpenAPI     ${address}/api/v1/openapi/public-v1.yaml`);
  if (demo) {
    lines.push(
      '',
      'A demo organization with fictional data was made. Its API key is shown only now:',
      '',
      `  API key     ${demo.token}`,
      '',
      'Try it:',
      '',
      `  curl -H 'Authorization: Bearer ${demo.token}' '${address}${basePath}/leads?limit=3'`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}
