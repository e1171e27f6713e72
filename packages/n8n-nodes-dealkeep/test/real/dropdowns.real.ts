import { seedDemo } from '@dealkeep/core/installation';
import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { loads, searches } from '../../nodes/shared/generated/choices.ts';
import { Api } from './api.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nDriver } from './n8n-driver.ts';
import { startTroubledProxy, type Trouble } from './troubled-proxy.ts';
import { type Credential, chosen, pollTriggerType } from './workflow-node.ts';

describe('dropdowns in n8n', () => {
  const n8n = new N8nDriver();
  let origin: string;
  let api: Api;
  let credential: Credential;
  let pipelines: { id: string; name: string; stages: { id: string; name: string }[] }[];

  beforeAll(async () => {
    const dealkeep = await startDealkeep({ worker: false });
    ({ origin } = dealkeep);
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
  });

  test('stages to filter by are those of the chosen pipelines, with their names when there are several', async () => {
    const stagesOf = (chosenPipelines: typeof pipelines) =>
      n8n.loadOptions({
        method: 'loadStageByPipelineId',
        credential,
        node: pollTriggerType,
        path: 'parameters.filters.stageId',
        parameters: {
          events: ['lead.won'],
          filters: { pipelineId: chosenPipelines.map(({ id }) => id) },
        },
      });
    const [first] = pipelines;
    expect(await stagesOf(pipelines.slice(0, 1))).toEqual(
      first?.stages.map(({ id, name }) => ({ value: id, name })),
    );
    expect(await stagesOf(pipelines.slice(0, 2))).toEqual(
      pipelines
        .slice(0, 2)
        .flatMap((each) =>
          each.stages.map(({ id, name }) => ({ value: id, name: `${each.name} › ${name}` })),
        ),
    );
  });

  test('stages of all pipelines carry their pipeline in the name while none is chosen', async () => {
    const { results } = await n8n.searchList({ method: 'searchStageByPipelineId', credential });
    const [pipeline] = pipelines;
    expect(results).toHaveLength(pipelines.flatMap(({ stages }) => stages).length);
    expect(results[0]?.name).toBe(`${pipeline?.name} › ${pipeline?.stages[0]?.name}`);
  });

  test('stages can be searched by their name', async () => {
    const { results } = await n8n.searchList({
      method: 'searchStageByPipelineId',
      credential,
      filter: 'WON',
    });
    expect(results).toHaveLength(pipelines.length);
    for (const { name } of results) expect(name).toMatch(/won/i);
  });

  test.each([
    ['an expression', chosen('={{ $json.pipeline }}')],
    ['an expression for an address', chosen('={{ $json.pipeline }}', 'url')],
    ['half an ID', chosen('01985f6e-2c41')],
  ])('stages are those of all pipelines while the pipeline is %s', async (_, pipelineId) => {
    const parameters = { resource: 'lead', operation: 'move', pipelineId };
    const method = 'searchStageByPipelineId';
    const { results } = await n8n.searchList({ method, credential, parameters, path: 'parameters.stageId' });
    expect(results).toHaveLength(pipelines.flatMap(({ stages }) => stages).length);
  });

  test('contacts are those of all companies while the company is half an ID', async () => {
    const additionalFields = { companyId: chosen('01985f6e-2c41') };
    const path = 'parameters.additionalFields.contactId';
    const request = {
      method: 'searchContactByCompanyId',
      credential,
      parameters: { additionalFields },
      path,
    };
    expect((await n8n.searchList(request)).results).not.toEqual([]);
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

  test('a category of products is chosen from the list of those that products have', async () => {
    const categories = listAt(await api.call('GET', '/products/categories'), 'data');
    const { results } = await n8n.searchList({ method: 'searchProductCategory', credential });
    expect(results).toEqual(
      categories.map((each) => expect.objectContaining({ name: at(each, 'name'), value: at(each, 'id') })),
    );
    const [helmets] = categories.filter((each) => textAt(each, 'name').startsWith('Helmet'));
    const parameters = {
      resource: 'product',
      operation: 'getAll',
      returnAll: true,
      simplify: false,
      filters: { categoryUuid: chosen(textAt(helmets, 'id'), 'list') },
    };
    const found = (await n8n.act(parameters, credential)).output('Dealkeep');
    expect(found).toHaveLength(Number(at(helmets, 'product_count')));
    for (const product of found) expect(at(product, 'category_uuid')).toBe(at(helmets, 'id'));
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

  describe('while Dealkeep is in trouble', () => {
    const searched = async (trouble: Trouble) => {
      const proxy = await startTroubledProxy(origin);
      proxy.next([trouble]);
      const throughProxy = await n8n.createCredential(`${proxy.origin}/api/v1/public`, api.key);
      const outcome = await n8n.searchList({ method: 'searchPipeline', credential: throughProxy }).then(
        ({ results }) => results,
        (error: unknown) => String(at(error, 'body')),
      );
      await proxy.stop();
      return { outcome, asked: proxy.seen().map(({ at }) => at) };
    };

    test('ask again after ten seconds without an answer', async () => {
      const { outcome, asked } = await searched('hang');
      expect(outcome).toHaveLength(pipelines.length);
      const [first = 0, second = 0, ...others] = asked;
      expect(second - first).toBeGreaterThanOrEqual(10_000);
      expect(others).toEqual([]);
    });

    test('do not wait at the rate limit for as long as a workflow does', async () => {
      const { outcome, asked } = await searched({ retryAfter: 50 });
      expect(outcome).toContain('Let fewer workflows run at a time');
      expect(asked).toHaveLength(1);
    });
  });
});
