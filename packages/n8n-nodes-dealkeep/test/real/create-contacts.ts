import type { Api } from './api.ts';
import { listAt, textAt } from './json.ts';

const atOnce = 100;

/** Creates many contacts of one company; their ids in the order in which they were made. */
export async function createContacts(api: Api, count: number): Promise<string[]> {
  const company = await api.create('/companies', { name: 'Large' });
  const ids: string[] = [];
  while (ids.length < count) {
    const items = Array.from({ length: Math.min(atOnce, count - ids.length) }, (_, index) => ({
      company_id: company,
      name: `Person ${ids.length + index + 1}`,
    }));
    const answer = await api.call('POST', '/contacts/batch', { operation: 'create', items });
    ids.push(...listAt(answer, 'data').map((each) => textAt(each, 'data', 'id')));
  }
  return ids;
}
