import { clientPrograms, platformOf, userAgentOf } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';

describe('a program is known by how it introduces itself (rule connectors 14)', () => {
  test.each([
    [userAgentOf('n8n', '0.1.0'), 'n8n'],
    [`${userAgentOf('zapier', '2.0.0')} Zapier`, 'zapier'],
    [userAgentOf('activepieces', '0.1.0'), 'activepieces'],
    // What the platforms' own HTTP steps send.
    ['n8n', 'n8n'],
    ['Mozilla/5.0 (compatible; n8n/2.41.1; +https://n8n.io/)', 'n8n'],
    ['Zapier', 'zapier'],
  ] as const)('%s', (userAgent, platform) => {
    expect(platformOf(userAgent)).toBe(platform);
  });

  test.each([
    '',
    ' n8n',
    'curl/8.5.0',
    'curl/8.5.0 n8n',
    'not-n8n/1',
    'n8nish',
    'Mozilla/5.0 (n8n)',
    'Mozilla/5.0 (X11; Linux x86_64; n8n/1) Firefox/140.0',
    `my-app/1 (${clientPrograms.n8n}/0.1.0)`,
    userAgentOf('client', '0.1.0'),
    userAgentOf('commandLine', '0.1.0'),
  ])('“%s” is no platform', (userAgent) => {
    expect(platformOf(userAgent)).toBeUndefined();
  });
});
