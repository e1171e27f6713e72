// What integrators do besides creating and reading, each by the client alone against a running server.
import { createClient, type Envelope, etagOf, inBatches, verifyWebhook } from '@dealkeep/client';
import { inConsole, startDealkeep } from '@dealkeep/testing';
import { defaultPipeline, openSalon } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { hookReceiver } from './servers/hook-receiver.ts';

const running = await startDealkeep();
const { baseUrl, core } = running;

async function open() {
  const organization = await running.createOrganization();
  const dealkeep = createClient({ baseUrl, apiKey: organization.key });
  return { organization, dealkeep, api: running.as(organization.key) };
}

describe('1. tags and custom fields', () => {
  async function withSegment() {
    const opened = await open();
    const field = { name: 'Segment', type: 'choice', required: false, choices: ['Retail', 'Fleet'] };
    await inConsole(core, opened.organization, 'custom-fields.add', field);
    return opened;
  }

  test('are written with a record, changed, and found by', async () => {
    const { dealkeep } = await withSegment();
    const { id } = await dealkeep.companies.create({
      name: 'Acme',
      tags: ['VIP'],
      custom_fields: { Segment: 'Retail' },
    });
    await dealkeep.companies.create({ name: 'Other' });

    const changed = await dealkeep.companies.update(id, { add_tags: ['Partner'], remove_tags: ['VIP'] });
    const lead = await dealkeep.leads.create({ name: 'Bikes', company_id: id, tags: ['Partner'] });

    expect([changed.tags, changed.custom_fields]).toEqual([['Partner'], { Segment: 'Retail' }]);
    const found = await dealkeep.companies.list({ tag: 'Partner', custom_field: { Segment: 'Retail' } });
    expect(found.data.map((each) => each.id)).toEqual([id]);
    expect((await dealkeep.leads.list({ tag: 'Partner' })).data.map((each) => each.id)).toEqual([lead.id]);
    const cleared = await dealkeep.companies.update(id, { custom_fields: { Segment: null }, tags: [] });
    expect([cleared.tags, cleared.custom_fields]).toEqual([[], {}]);
  });

  test('a field that there is not, and a value that it cannot have, are told by their paths', async () => {
    const { dealkeep } = await withSegment();
    expect((await dealkeep.customFields.list()).data).toMatchObject([
      { name: 'Segment', kind: 'choice', choices: ['Retail', 'Fleet'] },
    ]);
    const refused = dealkeep.companies.create({ name: 'Acme', custom_fields: { Segment: 'B2B', Size: '5' } });
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [
        { path: 'custom_fields.Segment', code: 'invalid_choice' },
        { path: 'custom_fields.Size', code: 'unknown' },
      ],
    });
  });
});

describe('2. create or update', () => {
  test('a company, a contact and a client are made once, and then updated or left as they are', async () => {
    const { dealkeep } = await open();
    const company = { match_by: 'registration_id', registration_id: '36123456', name: 'Acme' } as const;
    const made = await dealkeep.companies.upsert(company);
    const again = await dealkeep.companies.upsert({ ...company, phone: '1' });
    const same = await dealkeep.companies.upsert({ ...company, phone: '1' });
    expect([made, again, same].map(({ id, upserted }) => [id, upserted])).toEqual([
      [made.id, 'created'],
      [made.id, 'updated'],
      [made.id, 'unchanged'],
    ]);

    const contact = {
      match_by: 'email',
      email: 'eva@acme.example',
      name: 'Eva',
      company_id: made.id,
    } as const;
    expect((await dealkeep.contacts.upsert(contact)).upserted).toBe('created');
    expect((await dealkeep.contacts.upsert({ ...contact, name: 'Eva Malá' })).upserted).toBe('updated');
    const client = { match_by: 'company_id', company_id: made.id } as const;
    expect((await dealkeep.clients.upsert(client)).upserted).toBe('created');
    expect((await dealkeep.clients.upsert({ ...client, note: 'x' })).upserted).toBe('updated');
  });

  test('many at once make one record', async () => {
    const { dealkeep } = await open();
    const upserts = Array.from({ length: 10 }, (_, at) =>
      dealkeep.companies.upsert({ match_by: 'name', name: 'Acme', note: `By ${at}` }),
    );
    const outcomes = (await Promise.all(upserts)).map(({ upserted }) => upserted);
    expect(outcomes.filter((each) => each === 'created')).toHaveLength(1);
    expect((await dealkeep.companies.list()).data).toHaveLength(1);
  });

  test('several matches are named', async () => {
    const { dealkeep } = await open();
    const one = await dealkeep.companies.create({ name: 'Acme' });
    const other = await dealkeep.companies.create({ name: 'ACME' });
    await expect(dealkeep.companies.upsert({ match_by: 'name', name: 'acme' })).rejects.toMatchObject({
      status: 409,
      code: 'CONFLICT',
      detail: { ids: [one.id, other.id] },
    });
  });
});

describe('3. what happened', () => {
  test('events are walked through, and waited for from the last cursor on', async () => {
    const { dealkeep } = await open();
    for (const name of ['A', 'B', 'C']) await dealkeep.companies.create({ name });
    const names: unknown[] = [];
    let cursor = '';
    for await (const page of dealkeep.events.list({ types: 'company.created', limit: 2 }).pages()) {
      names.push(...page.data.map(({ data }) => data['name']));
      cursor = page.next_cursor ?? '';
    }
    expect(names).toEqual(['A', 'B', 'C']);

    const waiting = dealkeep.events.list({ types: 'company.created', cursor, wait: 20 });
    const [page, made] = await Promise.all([waiting, dealkeep.companies.create({ name: 'D' })]);
    expect(page.data.map(({ data }) => data['id'])).toEqual([made.id]);
    const [event] = page.data;
    expect(await dealkeep.events.get(event?.id ?? '')).toEqual(event);
    expect(page.next_cursor).not.toBe(cursor);
  });

  test('all that comes while somebody waits is iterated', async () => {
    const { dealkeep } = await open();
    const { next_cursor } = await dealkeep.events.list();
    const waiting = dealkeep.events.list({ cursor: next_cursor ?? '', wait: 20, limit: 1 });
    const seen = (async () => {
      const types: string[] = [];
      for await (const { type } of waiting) types.push(type);
      return types;
    })();
    await dealkeep.leads.create({ name: 'Bikes', company: { name: 'Acme' }, contact: { name: 'Eva' } });
    expect(await seen).toEqual(['company.created', 'contact.created', 'lead.created']);
  });

  test('the deliveries of a hook are looked through, with their attempts', async () => {
    const { dealkeep } = await open();
    const receiver = await hookReceiver();
    const hook = await dealkeep.webhooks.create({ target_url: receiver.targetUrl, event: 'company.created' });
    const company = await dealkeep.companies.create({ name: 'Acme' });
    const { headers, body } = await receiver.next();
    const event = verifyWebhook(body.toString(), headers, hook.secret);

    const query = { record_id: company.id, event: 'company.created', status: 'delivered' } as const;
    const delivered = () => dealkeep.webhookDeliveries.list(hook.id, query);
    await expect.poll(async () => (await delivered()).data).toMatchObject([{ id: event.id }]);
    expect(await dealkeep.webhookDeliveries.get(hook.id, event.id)).toMatchObject({
      status: 'delivered',
      attempts: [{ number: 1, response_status: 204 }],
    });
  });
});

describe('4. hooks that say only what is wanted', () => {
  test('by filters, by changed fields, and with the former values', async () => {
    const { dealkeep, api } = await open();
    const receiver = await hookReceiver();
    const { secret } = await dealkeep.webhooks.create({
      target_url: receiver.targetUrl,
      events: ['lead.updated', 'lead.stage_changed'],
      filters: { tag: ['VIP'] },
      changed_fields: ['value'],
    });
    const wanted = await dealkeep.leads.create({ name: 'Wanted', value: 1, tags: ['VIP'] });
    const other = await dealkeep.leads.create({ name: 'Other', value: 1 });

    await dealkeep.leads.update(other.id, { value: 2 });
    await dealkeep.leads.update(wanted.id, { note: 'x' });
    await dealkeep.leads.update(wanted.id, { value: 2 });
    const { stages } = await defaultPipeline(api);
    const first = await arrived(receiver, secret);
    await dealkeep.leads.move(wanted.id, { stage_id: stages['Won'] ?? '' });
    const second = await arrived(receiver, secret);

    expect(first).toMatchObject({
      type: 'lead.updated',
      data: { id: wanted.id, value: 2 },
      changed_fields: ['value'],
      previous: { value: 1 },
    });
    expect(second).toMatchObject({ type: 'lead.stage_changed', previous: { status: 'open' } });
  });

  const arrived = async (
    receiver: Awaited<ReturnType<typeof hookReceiver>>,
    secret: string,
  ): Promise<Envelope> => {
    const { headers, body } = await receiver.next();
    return verifyWebhook(body.toString(), headers, secret);
  };

  test('a field that an event does not have is told with both names', async () => {
    const { dealkeep } = await open();
    const hook = { target_url: 'http://127.0.0.1:9/', event: 'company.created' } as const;
    const refused = dealkeep.webhooks.create({ ...hook, filters: { stage_id: [crypto.randomUUID()] } });
    await expect(refused).rejects.toMatchObject({
      fields: [{ path: 'filters.stage_id', message: expect.stringContaining('company.created') }],
    });
  });
});

describe('5. reading better', () => {
  test('an organization tells its currency, time zone and country', async () => {
    const { organization } = await (await open()).dealkeep.me.get();
    expect(organization).toMatchObject({
      currency: 'EUR',
      time_zone: 'Europe/Bratislava',
      country_code: 'SK',
    });
  });

  test('lists take ends of time, several values, and searches without diacritics', async () => {
    const { dealkeep } = await open();
    const { id, created_at } = await dealkeep.leads.create({ name: 'Žltý kôň' });
    const found = async (query: Parameters<typeof dealkeep.leads.list>[0]) =>
      (await dealkeep.leads.list(query)).data.map((each) => each.id);
    expect(await found({ q: 'zlty kon', status: ['open', 'won'] })).toEqual([id]);
    expect(await found({ status: ['won', 'lost'] })).toEqual([]);
    expect(
      await found({ created_before: '2999-01-01T00:00:00Z', updated_before: '2999-01-01T00:00:00Z' }),
    ).toEqual([id]);
    expect(await found({ created_before: created_at ?? '' })).toEqual([]);
  });

  test('one entry of a lookup, categories of products, and free starts', async () => {
    const { key } = (await openSalon(running)).organization;
    const dealkeep = createClient({ baseUrl, apiKey: key });
    const [pipeline] = (await dealkeep.pipelines.list()).data;
    expect(await dealkeep.pipelines.get(pipeline?.id ?? '')).toEqual(pipeline);
    expect((await dealkeep.productCategories.list()).data).toEqual([]);
    const [service] = (await dealkeep.bookingServices.list()).data;
    const days = { from: '2131-05-07', to: '2131-05-07' };
    const free = await dealkeep.bookingServices.availability(service?.id ?? '', days);
    expect(free.starts.length).toBeGreaterThan(0);
  });

  test('one search goes over all kinds, and over those that are asked for', async () => {
    const { dealkeep } = await open();
    const company = await dealkeep.companies.create({ name: 'Žltý kôň' });
    const lead = await dealkeep.leads.create({ name: 'Predaj: žltý kôň' });
    const found = (types?: string) =>
      dealkeep.search.all({ q: 'zlty kon', ...(types === undefined ? {} : { types }) });
    expect(await found()).toMatchObject([
      { type: 'company', id: company.id, title: 'Žltý kôň', app_url: company.app_url },
      { type: 'lead', id: lead.id, title: 'Predaj: žltý kôň', app_url: lead.app_url },
    ]);
    expect((await found('lead')).map(({ id }) => id)).toEqual([lead.id]);
  });

  test('a record is asked for only when it changed, and changed only when nobody else did', async () => {
    const { dealkeep } = await open();
    const seen = await dealkeep.companies.create({ name: 'Acme' });
    const tag = etagOf(seen) ?? '';
    await expect(dealkeep.companies.get(seen.id, { ifNoneMatch: tag })).rejects.toMatchObject({
      status: 304,
    });
    await dealkeep.companies.update(seen.id, { note: 'mine' }, { ifMatch: tag });
    await expect(
      dealkeep.companies.update(seen.id, { note: 'yours' }, { ifMatch: tag }),
    ).rejects.toMatchObject({
      status: 412,
      code: 'PRECONDITION_FAILED',
    });
    expect((await dealkeep.companies.get(seen.id, { ifNoneMatch: tag })).note).toBe('mine');
  });

  test('an error names the request and where to read on', async () => {
    const { dealkeep } = await open();
    await expect(dealkeep.leads.get('none', { requestId: 'trace-1' })).rejects.toMatchObject({
      requestId: 'trace-1',
      docUrl: expect.stringContaining('/docs#NOT_FOUND'),
    });
  });
});

describe('6. many at once', () => {
  test('a batch tells of each item what became of it, and one key covers all of them', async () => {
    const { dealkeep } = await open();
    const items = [{ name: 'Acme' }, { name: 'Wrong', email: 'nobody' }, { name: 'Tatra' }];
    const batch = { operation: 'create', items } as const;
    const send = async () => (await dealkeep.companies.batch(batch, { idempotencyKey: 'nightly-1' })).data;
    const results = await send();
    expect(results).toMatchObject([
      { index: 0, status: 201, data: { name: 'Acme' } },
      { index: 1, status: 422, error: { detail: { fields: [{ path: 'email', code: 'invalid_email' }] } } },
      { index: 2, status: 201, data: { name: 'Tatra' } },
    ]);
    expect(await send()).toEqual(results);
    expect((await dealkeep.companies.list()).data).toHaveLength(2);
  });

  test('more than a batch takes are changed one after another, each told with what it was', async () => {
    const { dealkeep } = await open();
    const rows = Array.from({ length: 120 }, (_, at) => ({ title: `Task ${at}` }));
    const ids: string[] = [];
    for await (const { data } of inBatches(dealkeep.tasks, 'create', rows)) ids.push(data?.id ?? '');
    const changes = ids.map((id) => ({ id, priority: 'high' as const }));
    for await (const { index, status, data } of inBatches(dealkeep.tasks, 'update', changes)) {
      expect([status, data?.id, data?.priority]).toEqual([200, ids[index], 'high']);
    }
    expect(new Set(ids).size).toBe(120);
  });
});

describe('7. hooks that a program looks after', () => {
  async function withHook() {
    const opened = await open();
    const receiver = await hookReceiver();
    const hook = await opened.dealkeep.webhooks.create({
      target_url: receiver.targetUrl,
      event: 'company.created',
    });
    return { ...opened, receiver, hook };
  }

  test('one is tried by an event that never happened, and the answer is told', async () => {
    const { dealkeep, receiver, hook } = await withHook();
    const tried = await dealkeep.webhooks.test(hook.id);
    expect(tried).toMatchObject({ event: 'company.created', delivered: true, response_status: 204 });
    const { headers, body } = await receiver.next();
    expect(verifyWebhook(body.toString(), headers, hook.secret).id).toBe(tried.delivery_id);
  });

  test('one that moves keeps its id and its secret, and hears of what was chosen anew', async () => {
    const { dealkeep, hook } = await withHook();
    const elsewhere = await hookReceiver();
    const changed = await dealkeep.webhooks.update(hook.id, {
      target_url: elsewhere.targetUrl,
      events: ['lead.created'],
    });
    expect(changed).toMatchObject({ id: hook.id, events: ['lead.created'] });
    await dealkeep.companies.create({ name: 'Not heard of' });
    const lead = await dealkeep.leads.create({ name: 'Bikes' });
    const { headers, body } = await elsewhere.next();
    expect(verifyWebhook(body.toString(), headers, hook.secret)).toMatchObject({
      type: 'lead.created',
      data: { id: lead.id },
    });
  });

  test('what was delivered is sent again, one delivery or all since a moment', async () => {
    const { dealkeep, receiver, hook } = await withHook();
    const since = new Date(Date.now() - 60_000).toISOString();
    await dealkeep.companies.create({ name: 'Acme' });
    const idOfNext = async () => {
      const { headers, body } = await receiver.next();
      return verifyWebhook(body.toString(), headers, hook.secret).id;
    };
    const id = await idOfNext();
    const attempts = async () => (await dealkeep.webhookDeliveries.get(hook.id, id)).attempts.length;
    await expect.poll(attempts).toBe(1);

    await dealkeep.webhookDeliveries.resend(hook.id, id);
    expect(await idOfNext()).toBe(id);
    await expect.poll(attempts).toBe(2);

    expect(await dealkeep.webhooks.recover(hook.id, { since })).toEqual({ count: 0 });
    expect(await dealkeep.webhooks.recover(hook.id, { since, only_failed: false })).toEqual({ count: 1 });
    expect(await idOfNext()).toBe(id);
    await expect.poll(attempts).toBe(3);
  });
});
