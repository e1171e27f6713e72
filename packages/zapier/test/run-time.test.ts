import { sampleData } from '@dealkeep/contract';
import { afterAll, expect, test } from 'vitest';
import { apiKey } from '../src/index.ts';
import { attemptTimeout } from '../src/requests/run-time.ts';
import { builtIntegration } from './platform/built-integration.ts';
import { passPauses } from './platform/passing-clock.ts';
import { startInProcess } from './platform/platform.ts';
import { startScriptedApi } from './platform/scripted-api.ts';

const platform = await startInProcess(builtIntegration(apiKey));
afterAll(() => platform.close());
const { advance } = passPauses();

const company = Object(sampleData('company.created'));

/**
 * Looks for a company, whose list takes so long, at an API that then hangs up. Gives what was asked for after it.
 */
async function askedAfter(seconds: number): Promise<string[]> {
  const before = () => advance(seconds * 1000);
  const list = { data: [company], next_cursor: null, has_more: false };
  const api = await startScriptedApi([{ status: 200, body: list, before }, 'hang up']);
  const run = platform.run('searches.find_company.operation.perform', {
    authData: { base_url: api.baseUrl, api_key: `dk_live_${'x'.repeat(43)}` },
    inputData: { search_email: company.email },
    meta: {},
  });
  await expect(run).rejects.toThrow('did not answer');
  await api.close();
  return api.seen.slice(1).map(({ path }) => path);
}

test('a step that has taken long already gives a request up at once, because Zapier would end it (rule zapier 15)', async () => {
  const path = `/api/v1/public/companies/${company.id}`;
  expect(await askedAfter(20)).toEqual([path]);
  expect(await askedAfter(1)).toEqual([path, path, path, path]);
});

test('an attempt has 9 seconds, and no more than the run (rule zapier 15)', () => {
  expect([27_000, 9_000, 4_000, -3_000].map(attemptTimeout)).toEqual([9_000, 9_000, 4_000, 1_000]);
});
