import { startDealkeep, WatchedLine } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { afterAll, expect, test } from 'vitest';
import { connectAssistant, textOf } from './assistant.ts';

let line: WatchedLine | undefined;
const dealkeep = await startDealkeep({
  worker: false,
  between: async (url) => {
    line = await WatchedLine.open(url, afterAll);
    return line.url;
  },
});

/** The statements that read what is asked for, without what goes beside a request now and then. */
async function readsOf(work: () => Promise<unknown>): Promise<number> {
  if (!line) throw new Error('Nothing stands between Dealkeep and its database');
  const statements = await line.statementsOf(work);
  return statements.filter((each) => /\bfrom (?:\(|leads|companies)/.test(each)).length;
}

test('a call with IDs asks the database no more than the API does; each name is one question more', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const { data: company } = await api.post('/companies', { name: 'Tatra' });
  const { data: lead } = await api.post('/leads', { name: 'Ten bikes', company_id: company.id });
  const assistant = await connectAssistant(dealkeep.baseUrl, organization.key);
  const call = async (name: string, given: Record<string, unknown>) => {
    const answer = await assistant.callTool({ name, arguments: given });
    expect(answer.isError, textOf(answer)).not.toBe(true);
  };
  await call('get_lead', { lead: lead.id });
  const byApi = await readsOf(() => api.get(`/leads/${lead.id}`));
  expect(byApi).toBe(1);
  expect(await readsOf(() => call('get_lead', { lead: lead.id }))).toBe(byApi);
  expect(await readsOf(() => call('get_lead', { lead: 'ten bikes' }))).toBe(byApi + 1);
  const listed = await readsOf(() => call('list_leads', { company: company.id }));
  expect(await readsOf(() => call('list_leads', { company: 'Tatra' }))).toBe(listed + 1);
});
