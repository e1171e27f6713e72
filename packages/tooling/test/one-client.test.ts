import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const packages = new URL('../../', import.meta.url).pathname;

/** Programs that call the API from other machines, each over the transport of its platform. */
const folders = [
  'client/src',
  'connectors/src',
  'zapier/src',
  'activepieces/src',
  'n8n-nodes-dealkeep/nodes',
  'n8n-nodes-dealkeep/credentials',
];

/** The files of these programs with code that looks so; comments are left out. */
async function filesWith(code: RegExp): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const name of await readdir(join(packages, folder), { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const lines = (await readFile(join(packages, folder, name), 'utf8')).split('\n');
      if (lines.some((line) => code.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line))) {
        found.push(join(folder, name));
      }
    }
  }
  return found.sort();
}

test.each<[string, RegExp, string[]]>([
  ['the bytes of a request are made', /'Idempotency-Key'/i, ['client/src/transport/request.ts']],
  [
    'which answers are temporary is decided',
    /'IDEMPOTENCY_IN_PROGRESS'|'rateLimit'|status === 429/,
    // Which of them leave Zapier to run the step again is told to people, not decided by it.
    ['client/src/transport/retry.ts', 'connectors/src/requests/failure.ts'],
  ],
  ['the wait before the next attempt is computed', /\*\s*2 \*\*/, ['client/src/transport/retry.ts']],
  ['Retry-After is read', /Date\.parse\(text\)/, ['client/src/transport/outcome.ts']],
  ['the pace of the rate limit is kept', /x-ratelimit-/i, ['client/src/transport/pace.ts']],
  ['the error of an answer is read', /valueAt\(content, 'error'\)/, ['client/src/transport/outcome.ts']],
  [
    'fetch is called',
    /\bfetch\(/,
    [
      // What a person calls in the platform's own form, whatever it holds: it is no operation, and is sent once.
      'activepieces/src/lib/actions/custom-api-call.ts',
      // The default of the client, which is handed to the transport.
      'client/src/settings.ts',
      'client/src/transport/fetch-once.ts',
    ],
  ],
])('%s in one place for the client and all connectors (rule errors 8)', async (_, code, places) => {
  expect(await filesWith(code)).toEqual(places);
});

test('a delivery is verified in one place, by the library of Standard Webhooks (rule connectors 7)', async () => {
  expect(await filesWith(/from 'standardwebhooks'/)).toEqual(['client/src/transport/verify-delivery.ts']);
  expect(await filesWith(/createHmac|timingSafeEqual|\.sign\(/)).toEqual([]);
  const [file = ''] = await filesWith(/from 'standardwebhooks'/);
  expect(await readFile(join(packages, file), 'utf8')).toContain('webhook.verify(');
});

test('every connector sends over it (rule errors 8)', async () => {
  expect(await filesWith(/\bsendPersistently\(/)).toEqual([
    'client/src/send.ts',
    'connectors/src/requests/api-over.ts',
    'n8n-nodes-dealkeep/nodes/shared/transport/request.ts',
  ]);
  expect(await filesWith(/\bapiOver\b.*\(/)).toEqual([
    'activepieces/src/lib/requests/api.ts',
    'connectors/src/requests/api-over.ts',
    'zapier/src/requests/call-api.ts',
  ]);
});
