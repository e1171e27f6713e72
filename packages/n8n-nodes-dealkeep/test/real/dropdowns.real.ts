import { seedDemo } from '@dealkeep/core';
import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { loads, searches } from '../../nodes/shared/generated/choices.ts';
import { Api } from './api.ts';
import { at, listAt, textAt } from './json.ts';
import { type Credential, chosen, N8nDriver, triggerType } from './n8n-driver.ts';

describe('dropdowns in n8n', () => {
  const n8n = new N8nDriver();
  let api: Api;
  let credential: Credential;
  let pipelines: { id: string; name: string; stages: { id: string; name: string }[] }[];

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    const { key, slug } = await dealkeep.createOrganization();
    await seedDemo(dealkeep.core, slug, 'small');
    api = new Api(dealkeep.baseUrl, key);
    credential = await n8n.createCredential(api.baseUrl, key);
    pipelines = listAt(await api.call('GET', '/pipelines'), 'data').map((each) => ({
      id: textAt(each, 'id'),
      name: textAt(each, 'name'),
      stages: listAt(each, 'stages').map((stage) => ({
        id: textAt(stage, 'id'),
        name: textAt(stage, 'name'),
      })),
    }));
  });

  test('every list that a parameter asks for loads', async () => {
    await api.create('/companies', { name: 'Tatra Bikes s.r.o.' });
    for (const method of Object.keys(searches)) {
      const { results } = await n8n.searchList({ method, credential });
      for (const { name, value } of results) expect([method, name, value]).not.toContain('');
    }
    for (const method of Object.keys(loads)) {
      expect(await n8n.loadOptions({ method, credential })).not.toEqual([]);
    }
  });

  test('stages are those of the chosen pipeline, beside them or on top', async () => {
    const [pipeline] = pipelines;
    const parent = chosen(pipeline?.id ?? '', 'list');
    const expected = pipeline?.stages.map(({ id, name }) => ({ value: id, name }));
    const method = 'searchStageByPipelineId';

    const onTop = { resource: 'lead', operation: 'move', pipelineId: parent };
    const moved = await n8n.searchList({ method, credential, parameters: onTop, path: 'parameters.stageId' });
    expect(moved.results).toEqual(expected);

    const inside = { resource: 'lead', operation: 'create', additionalFields: { pipelineId: parent } };
    const path = 'parameters.additionalFields.stageId';
    expect((await n8n.searchList({ method, credential, parameters: inside, path })).results).toEqual(
      expected,
    );

    const filters = { events: ['lead.won'], leadFilters: { pipelineId: parent } };
    const filtered = { method, credential, parameters: filters, path: 'parameters.leadFilters.stageId' };
    expect((await n8n.searchList({ ...filtered, node: triggerType })).results).toEqual(expected);
  });

  test('stages of all pipelines carry their pipeline in the name while none is chosen', async () => {
    const { results } = await n8n.searchList({ method: 'searchStageByPipelineId', credential });
    const [pipeline] = pipelines;
    expect(results).toHaveLength(pipelines.flatMap(({ stages }) => stages).length);
    expect(results[0]?.name).toBe(`${pipeline?.name} › ${pipeline?.stages[0]?.name}`);
  });

  test('records without a name of their own are listed by what people know them by', async () => {
    const product = await api.call('GET', '/products?limit=1&sort=name');
    const { results: products } = await n8n.searchList({ method: 'searchProduct', credential });
    expect(products.map(({ value }) => value)).toContain(textAt(product, 'data', 0, 'uuid'));
    const [order] = listAt(await api.call('GET', '/orders?limit=1'), 'data');
    const number = textAt(order, 'internal_number');
    const { results: orders } = await n8n.searchList({ method: 'searchOrder', credential, filter: number });
    expect(orders).toMatchObject([{ value: textAt(order, 'uuid') }]);
    expect(orders[0]?.name).toContain(number);
  });

  test('contacts are those of the chosen company', async () => {
    const company = await api.create('/companies', { name: 'Orava Timber' });
    const other = await api.create('/companies', { name: 'Other' });
    const contact = await api.create('/contacts', {
      company_id: company,
      name: 'Eva',
      email: 'eva@orava.example',
    });
    await api.create('/contacts', { company_id: other, name: 'Ivan' });
    const { results } = await n8n.searchList({
      method: 'searchContactByCompanyId',
      credential,
      parameters: { additionalFields: { companyId: chosen(company) } },
      path: 'parameters.additionalFields.contactId',
    });
    expect(results).toEqual([{ name: 'Eva (eva@orava.example)', value: contact, url: expect.any(String) }]);
  });

  test('a long list comes page by page and can be searched', async () => {
    for (let index = 0; index < 130; index++) {
      await api.create('/companies', { name: `Long list ${String(index).padStart(3, '0')}` });
    }
    const first = await n8n.searchList({ method: 'searchCompany', credential, filter: 'long list' });
    expect(first.results).toHaveLength(100);
    const second = await n8n.searchList({
      method: 'searchCompany',
      credential,
      filter: 'long list',
      paginationToken: first.paginationToken ?? '',
    });
    expect(second.results).toHaveLength(30);
    expect(second.paginationToken).toBeUndefined();
    expect(new Set([...first.results, ...second.results].map(({ value }) => value)).size).toBe(130);

    const found = await n8n.searchList({ method: 'searchCompany', credential, filter: 'LIST 007' });
    expect(found.results.map(({ name }) => name)).toEqual(['Long list 007']);
  });

  test('a dropdown with a wrong key says why', async () => {
    const wrong = await n8n.createCredential(api.baseUrl, 'dk_live_wrong');
    const refused = n8n.searchList({ method: 'searchCompany', credential: wrong });
    await expect(refused).rejects.toThrow(/key/i);
    const seen = await refused.catch((error: unknown) => at(error, 'body'));
    expect(String(seen)).not.toContain('dk_live_wrong');
  });
});
