import { sampleData } from '@dealkeep/contract';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { apiKey, integration } from '../src/index.ts';
import { attemptTimeout } from '../src/requests/run-time.ts';
import { startInProcess } from './platform/platform.ts';
import { startScriptedApi } from './platform/scripted-api.ts';

const platform = await startInProcess(integration(apiKey));
afterAll(() => platform.close());
afterEach(() => {
  vi.useRealTimers();
});

const company = Object(sampleData('company.created'));

/** Looks for a company, whose list takes so long, at an API that then hangs up. Gives what was asked for after it. */
async function askedAfter(seconds: number): Promise<string[]> {
  vi.useFakeTimers({ toFake: ['Date'] });
  const before = () => {
    vi.setSystemTime(Date.now() + seconds * 1000);
  };
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

test('a step that has taken long already gives a request up at once, because Zapier would end it', async () => {
  const path = `/api/v1/public/companies/${company.id}`;
  expect(await askedAfter(20)).toEqual([path]);
  expect(await askedAfter(1)).toEqual([path, path, path, path]);
});

test('an attempt has 9 seconds, and no more than the run', () => {
  expect([27_000, 9_000, 4_000, -3_000].map(attemptTimeout)).toEqual([9_000, 9_000, 4_000, 1_000]);
});
