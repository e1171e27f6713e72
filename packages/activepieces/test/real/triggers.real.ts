import { triggerKey, triggers } from '@dealkeep/connectors';
import { eventTypes } from '@dealkeep/contract';
import { revokeApiKey } from '@dealkeep/core/accounts';
import { startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { causes, openBusiness } from '@dealkeep/testing/business';
import { Webhook } from 'standardwebhooks';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectionTo, FlowTrigger, openedBy, payloadOf, type Values } from './engine.ts';
import { type ScriptedAnswer, startScriptedApi } from './scripted-api.ts';
import { messageOf, newWorld } from './world.ts';

const dealkeep = await startDealkeep();

interface Hook {
  readonly id: string;
  readonly target_url: string;
  readonly events: readonly string[];
  readonly filters: Values | null;
  readonly changed_fields: readonly string[] | null;
}

const hooksOf = async (key: string): Promise<Hook[]> => {
  const { data } = await dealkeep.as(key).get('/webhooks');
  return [data].flat().map((hook) => Object(hook));
};

const byEventType = ({ event_type: one }: Values, { event_type: other }: Values): number =>
  String(one).localeCompare(String(other));

/** The keys of a record, nested ones by their ways; lists and free names are not followed. */
function keysOf(value: unknown, prefix = ''): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || prefix === 'custom_fields') {
    return [prefix];
  }
  return Object.entries(value).flatMap(([key, inner]) => keysOf(inner, prefix ? `${prefix}__${key}` : key));
}

test('every event of the catalog starts a flow (rule connectors 3)', () => {
  const started = triggers.filter(({ choose }) => choose !== 'some').flatMap(({ events }) => events);
  expect(eventTypes.filter((type) => !started.includes(type))).toEqual([]);
});

describe.each(triggers.map((declaration) => [triggerKey(declaration), declaration] as const))(
  'the life of %s',
  (name, declaration) => {
    test('one hook, a real event that runs the flow with the keys of the sample, and no hook at the end (rules activepieces 7 and connectors 10)', async () => {
      const [type] = declaration.events;
      if (type === undefined) throw new Error(`${name} has no event.`);
      const { business, make } = await causes[type].prepare(dealkeep);
      const auth = connectionTo(dealkeep.baseUrl, business.organization.key);
      const receiver = await startHookReceiver();
      const input = declaration.choose === 'some' ? { events: [type] } : {};
      const flow = new FlowTrigger(name, auth, receiver.url, input);

      expect(await flow.handshake()).toEqual({ status: 200 });
      await flow.enable();
      expect(await hooksOf(auth.props.api_key)).toMatchObject([{ target_url: receiver.url }]);

      await make();
      const wanted = () => receiver.requests.find(({ envelope }) => envelope.type === type);
      await expect.poll(wanted).toBeDefined();
      const delivery = wanted();
      if (!delivery) throw new Error('Nothing was delivered.');
      const [run, ...others] = await flow.run(payloadOf(delivery));
      expect(others).toEqual([]);
      expect(run).toMatchObject({ event_type: type, event_id: delivery.envelope.id });
      const { _dedupe_key: key, ...output } = run ?? {};
      expect(key).toBe(delivery.headers['webhook-id']);
      const sample = Object(flow.trigger.sampleData);
      const missing = keysOf(sample).filter((each) => !keysOf(output).includes(each));
      expect(missing.filter((each) => !isInsideNothing(output, each))).toEqual([]);
      // A run of one of several kinds of records has more than what all of them have.
      const more = keysOf(output).filter((each) => !keysOf(sample).includes(each));
      if (declaration.choose !== 'some') expect(more).toEqual([]);

      const tested = await flow.test();
      expect(tested.length).toBeGreaterThan(0);
      expect(tested.map(({ event_type: told }) => told)).toContain(type);

      await flow.disable();
      expect(await hooksOf(auth.props.api_key)).toEqual([]);
      expect(flow.kept.size).toBe(0);
    });
  },
);

/** A list is empty or not, so what stands inside it is no key that is missed. */
function isInsideNothing(output: Values, key: string): boolean {
  const [first = ''] = key.split('__');
  return Array.isArray(output[first]);
}

describe('a flow that is turned on', () => {
  test('twice has one hook, and the second secret counts (rules activepieces 7 and connectors 9)', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const receiver = await startHookReceiver();
    const flow = new FlowTrigger('company_created', auth, receiver.url);
    await flow.enable();
    await flow.enable();
    expect(await hooksOf(auth.props.api_key)).toHaveLength(1);
    await api.post('/companies', { name: 'Tatra' });
    const [delivery] = await receiver.received(1);
    if (!delivery) throw new Error('Nothing was delivered.');
    expect(await flow.run(payloadOf(delivery))).toMatchObject([{ name: 'Tatra' }]);
  });

  test('and was off for a moment gets what happened meanwhile, signed by its new secret (rules activepieces 7 and connectors 9)', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const receiver = await startHookReceiver();
    const flow = new FlowTrigger('company_created', auth, receiver.url);
    await flow.enable();
    await flow.disable();
    await api.post('/companies', { name: 'Meanwhile' });
    await flow.enable();
    const [delivery] = await receiver.received(1);
    if (!delivery) throw new Error('Nothing was delivered.');
    expect(await flow.run(payloadOf(delivery))).toMatchObject([{ name: 'Meanwhile' }]);
  });

  test('beside another flow leaves that one alone (rule connectors 9)', async () => {
    const { auth } = await newWorld(dealkeep);
    const [one, other] = [await startHookReceiver(), await startHookReceiver()];
    const flows = [one, other].map(({ url }) => new FlowTrigger('company_created', auth, url));
    for (const flow of flows) await flow.enable();
    expect((await hooksOf(auth.props.api_key)).map(({ target_url }) => target_url).toSorted()).toEqual(
      [one.url, other.url].toSorted(),
    );
    await flows[0]?.disable();
    expect((await hooksOf(auth.props.api_key)).map(({ target_url }) => target_url)).toEqual([other.url]);
  });

  test('asks the service for what it waits for: filters and watched fields', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const owner = Object((await api.get('/me')).data).user;
    const [first] = [(await api.get('/users')).data].flat().map((user) => Object(user));
    const flow = new FlowTrigger('company_updated', auth, 'http://127.0.0.1:9/flow', {
      fields_to_watch: ['phone'],
      owner_id: [first?.id ?? owner?.id],
    });
    await flow.enable();
    expect(await hooksOf(auth.props.api_key)).toMatchObject([
      { filters: { owner_id: [first?.id] }, changed_fields: ['phone'] },
    ]);
  });

  test('runs for watched fields alone, because the service sends nothing else', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const receiver = await startHookReceiver();
    const { id } = (await api.post('/companies', { name: 'Tatra' })).data;
    const flow = new FlowTrigger('company_updated', auth, receiver.url, { fields_to_watch: ['phone'] });
    await flow.enable();
    await api.patch(`/companies/${id}`, { city: 'Nitra' });
    await api.patch(`/companies/${id}`, { phone: '+421 905 123 456' });
    const [delivery, ...others] = await receiver.received(1);
    if (!delivery) throw new Error('Nothing was delivered.');
    expect(others).toEqual([]);
    expect(await flow.run(payloadOf(delivery))).toMatchObject([{ changed_fields: ['phone'] }]);
  });

  test('for any event runs for watched fields alone, and for the chosen events that are no updates', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const receiver = await startHookReceiver();
    const { id } = (await api.post('/companies', { name: 'Tatra' })).data;
    const events = ['company.updated', 'contact.created'];
    expect(await openedBy('any_event', 'filters', auth, { events })).toHaveProperty('fields_to_watch');
    const flow = new FlowTrigger('any_event', auth, receiver.url, {
      events,
      filters: { fields_to_watch: ['phone'] },
    });
    await flow.enable();
    expect(await hooksOf(auth.props.api_key)).toMatchObject([{ events, changed_fields: ['phone'] }]);
    await api.patch(`/companies/${id}`, { city: 'Nitra' });
    await api.patch(`/companies/${id}`, { phone: '+421 905 123 456' });
    await api.post('/contacts', { company_id: id, name: 'Ján' });
    const deliveries = await receiver.received(2);
    const runs = await Promise.all(deliveries.map((delivery) => flow.run(payloadOf(delivery))));
    expect(runs.flat().toSorted(byEventType)).toMatchObject([
      { event_type: 'company.updated', changed_fields: ['phone'] },
      { event_type: 'contact.created', name: 'Ján' },
    ]);
  });

  test('for any event with a watched field that its updates do not have is refused by its name', async () => {
    const { auth } = await newWorld(dealkeep);
    const flow = new FlowTrigger('any_event', auth, 'http://127.0.0.1:9/flow', {
      events: ['lead.updated', 'company.updated'],
      filters: { fields_to_watch: ['value'] },
    });
    expect(await messageOf(flow.enable())).toBe(
      'Fields to Watch: The event company.updated does not tell of a change of value.',
    );
    expect(await hooksOf(auth.props.api_key)).toEqual([]);
  });

  test('with a filter value that was deleted is refused with the name of the field', async () => {
    const { auth } = await newWorld(dealkeep);
    const flow = new FlowTrigger('lead_created', auth, 'http://127.0.0.1:9/flow', {
      stage_id: ['01985f6e-0000-7000-8000-000000000000'],
    });
    const message = await messageOf(flow.enable());
    expect(message).toMatch(/^Stage: /);
    expect(await hooksOf(auth.props.api_key)).toEqual([]);
  });

  test('with a key that was revoked is told to set another one', async () => {
    const { auth } = await newWorld(dealkeep);
    const flow = new FlowTrigger(
      'lead_created',
      connectionTo(auth.props.base_url, `dk_live_${'x'.repeat(43)}`),
      'http://127.0.0.1:9/flow',
    );
    expect(await messageOf(flow.enable())).toMatch(/Open the connection and set a valid API Key\.$/);
  });
});

const refused = (status: number, code: string): ScriptedAnswer => ({
  status,
  body: { error: { code, message: 'No.' } },
});

describe('a flow that is turned off (rule activepieces 7)', () => {
  test('when its hook is gone already, is turned off', async () => {
    const { api, auth } = await newWorld(dealkeep);
    const flow = new FlowTrigger('lead_created', auth, 'http://127.0.0.1:9/flow');
    await flow.enable();
    for (const { id } of await hooksOf(auth.props.api_key)) await api.delete(`/webhooks/${id}`);
    await flow.disable();
    expect(flow.kept.size).toBe(0);
  });

  test('twice, or without ever being on, is turned off', async () => {
    const { auth } = await newWorld(dealkeep);
    const flow = new FlowTrigger('lead_created', auth, 'http://127.0.0.1:9/flow');
    await flow.disable();
    await flow.enable();
    await flow.disable();
    await flow.disable();
    expect(await hooksOf(auth.props.api_key)).toEqual([]);
  });

  test.each<[string, ScriptedAnswer | undefined]>([
    ['a subscription that ended', refused(402, 'SUBSCRIPTION_REQUIRED')],
    ['a key without the scope', refused(403, 'FORBIDDEN')],
    ['a server that is away', refused(503, 'SERVICE_UNAVAILABLE')],
    ['a server that hangs up', 'hang up'],
    ['a connection that was deleted', undefined],
  ])('with %s, is turned off and says what stayed', async (_, answer) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => logged.mockRestore());
    const auth = answer && connectionTo((await startScriptedApi([answer])).baseUrl, 'dk_live_x');
    const flow = new FlowTrigger('lead_created', auth, 'http://127.0.0.1:9/flow');
    flow.kept.set('subscription', { id: 'hook-1', secret: 'whsec_x' });
    await flow.disable();
    expect(flow.kept.size).toBe(0);
    expect(logged.mock.calls.flat().join()).toMatch(
      /^The webhook hook-1 was not removed: .* Remove it in Dealkeep, under Integrations, Webhooks\.$/,
    );
  });

  test('with a key that was revoked, is turned off', async () => {
    const { organization } = await openBusiness(dealkeep);
    const { id, token } = await organization.createKey({ scopes: ['webhooks:manage', 'leads:read'] });
    const auth = connectionTo(dealkeep.baseUrl, token);
    const flow = new FlowTrigger('lead_created', auth, 'http://127.0.0.1:9/flow');
    await flow.enable();
    await revokeApiKey(dealkeep.core, id);
    await flow.disable();
    expect(flow.kept.size).toBe(0);
  });
});

describe('a delivery (rules activepieces 8 and connectors 7)', () => {
  async function delivered() {
    const { api, auth } = await newWorld(dealkeep);
    const receiver = await startHookReceiver();
    const flow = new FlowTrigger('company_created', auth, receiver.url);
    await flow.enable();
    await api.post('/companies', { name: 'Žltý kôň' });
    const [delivery] = await receiver.received(1);
    if (!delivery) throw new Error('Nothing was delivered.');
    return { flow, delivery };
  }

  test('starts a run in whatever form the platform hands its body on', async () => {
    const { flow, delivery } = await delivered();
    const payload = payloadOf(delivery);
    for (const rawBody of [
      delivery.body,
      Buffer.from(delivery.body),
      JSON.parse(JSON.stringify(Buffer.from(delivery.body))),
      undefined,
    ]) {
      expect(await flow.run({ ...payload, rawBody })).toMatchObject([{ name: 'Žltý kôň' }]);
    }
  });

  test('that is forged, changed or of another hook starts nothing', async () => {
    const { flow, delivery } = await delivered();
    const payload = payloadOf(delivery);
    const forged = new Webhook('whsec_Y29ycmVjdCBob3JzZSBiYXR0ZXJ5IHN0YXBsZSE=').sign(
      'evt_1',
      new Date(),
      '{}',
    );
    const bodies = [
      { ...payload, rawBody: delivery.body.replace('kôň', 'kon') },
      { ...payload, headers: {} },
      { ...payload, headers: { ...payload.headers, 'webhook-signature': forged } },
      { ...payload, headers: { ...payload.headers, 'webhook-signature': 'v1,' } },
      { body: undefined, headers: payload.headers, queryParams: {} },
    ];
    for (const each of bodies) expect(await flow.run(each)).toEqual([]);
  });

  test('of an event that this version does not know starts nothing', async () => {
    const { flow, delivery } = await delivered();
    const { secret } = Object(flow.kept.get('subscription'));
    const body = JSON.stringify({ ...delivery.envelope, type: 'lead.cloned' });
    const at = new Date();
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
    };
    expect(await flow.run(payloadOf({ body, headers }))).toEqual([]);
  });

  test('after the flow was turned off starts nothing', async () => {
    const { flow, delivery } = await delivered();
    await flow.disable();
    expect(await flow.run(payloadOf(delivery))).toEqual([]);
  });
});
