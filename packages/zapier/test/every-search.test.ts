import { randomUUID } from 'node:crypto';
import { searches as declaredSearches, searchKey } from '@dealkeep/connectors';
import { isRecordName, type OperationId, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { plainRecord } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { demoAccount } from './every-step.ts';
import { ask, list, type Values } from './platform/setting.ts';

const { setting, definition, expectShape } = await demoAccount(await sharedDealkeep());

/** For each search a filter that the demo has records for. */
const searches: Record<string, Values> = {
  find_lead: { search_status: 'open' },
  find_company: { search_country_code: 'SK' },
  find_contact: { search_is_primary: true },
  find_client: { search_q: 'a' },
  find_activity: { search_status: 'open' },
  find_task: { search_completed: false },
  find_invoice: { search_status: 'issued' },
  find_booking: { search_status: 'confirmed' },
  find_order: { search_payment_status: 'paid' },
  find_product: { search_active: true },
  find_user: { search_q: 'a' },
  find_pipeline: { search_q: 'a' },
  find_stage: { search_q: 'w' },
  find_lead_origin: { search_q: 'e' },
  find_lost_reason: { search_q: 'e' },
  find_tag: { search_q: 'a' },
  find_custom_field: { search_q: 'e' },
  find_activity_type: { search_q: 'e' },
  find_project: { search_q: 'e' },
  find_project_stage: { search_q: 'o' },
  find_booking_service: { search_q: 'e' },
  find_booking_staff: { search_q: 'a' },
  find_product_category: { search_q: 'e' },
};

/** Those of which nothing is said above find a record that is made by what the contract says. */
async function plainSearches(): Promise<Record<string, Values>> {
  const found: Record<string, Values> = {};
  for (const declared of declaredSearches) {
    const [step, id] = [searchKey(declared), declared.list];
    if (!isRecordName(resourceOf(id)) || step in searches) continue;
    const { create, body } = plainRecord(resourceOf(id));
    await ask(setting, 'POST', create.path, body);
    found[step] = { search_q: Object.values(body).find((value) => typeof value === 'string') };
  }
  return found;
}

const resourceOf = (list: OperationId): string => operations[list].resource;
const plain = await plainSearches();

describe('a search gives on what its sample and its output fields show (rule zapier 11)', () => {
  test('each of the 24 has its case', () => {
    const all = [...Object.keys(searches), 'search_everything'];
    expect(all).toHaveLength(24);
    expect(Object.keys(definition.searches)).toEqual(expect.arrayContaining(all));
  });

  test.each(Object.entries({ ...searches, ...plain }))(
    '%s, also by its ID, and nothing by another',
    async (step, input) => {
      const [found] = await list(setting, `searches.${step}`, input);
      if (!found) throw new Error(`${step} found nothing.`);
      await expectShape(`searches.${step}`, definition.searches[step], found);
      expect(await list(setting, `searches.${step}`, { search_id: found['id'] })).toEqual([found]);
      expect(await list(setting, `searches.${step}`, { search_id: randomUUID() })).toEqual([]);
    },
  );

  test('search_everything', async () => {
    const [found] = await list(setting, 'searches.search_everything', { search_q: 'a' });
    if (!found) throw new Error('It found nothing.');
    await expectShape('searches.search_everything', definition.searches['search_everything'], found);
  });
});
