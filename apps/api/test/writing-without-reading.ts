import {
  type OperationDeclaration,
  type OperationId,
  operationIds,
  operations,
  type Scope,
} from '@dealkeep/contract';
import { connectedUser, sharedDealkeep } from '@dealkeep/testing';
import {
  addProject,
  defaultPipeline,
  naming,
  openSalon,
  plainRecord,
  stageOf,
} from '@dealkeep/testing/business';
import { expect, test } from 'vitest';
import { describedProblems } from './described-answers.ts';

const dealkeep = await sharedDealkeep();

/** Stands in every text of the records that are there before. */
const hidden = 'Hidden';

/** A business with a record of each kind, all of whose names are hidden. */
export async function business() {
  const salon = await openSalon(dealkeep);
  const { api, organization } = salon;
  // Each write has a key of its own.
  await dealkeep.sql`update organizations set max_keys = 1000 where id = ${organization.id}`;
  const pipeline = await defaultPipeline(api);
  const company = (
    await api.post('/companies', {
      name: `${hidden} company`,
      registration_id: '36000001',
      email: 'company@hidden.example',
      note: `${hidden} note`,
      phone: '+421900111222',
      city: `${hidden} city`,
    })
  ).data;
  const other = (await api.post('/companies', { name: `${hidden} other company` })).data;
  const contact = (
    await api.post('/contacts', {
      company_id: company.id,
      name: `${hidden} contact`,
      email: 'contact@hidden.example',
    })
  ).data;
  const client = (
    await api.post('/clients', { company_id: company.id, reference_name: `${hidden} reference` })
  ).data;
  const lead = (
    await api.post('/leads', {
      name: `${hidden} lead`,
      company_id: company.id,
      contact_id: contact.id,
      note: `${hidden} note`,
    })
  ).data;
  const activity = (
    await api.post('/activities', {
      name: `${hidden} activity`,
      start_at: '2026-12-01T08:00:00Z',
      lead_id: lead.id,
      location: `${hidden} place`,
    })
  ).data;
  const project = await addProject({ dealkeep, organization }, `${hidden} project`, {
    [`${hidden} stage`]: 'to_do',
  });
  const task = (
    await api.post('/tasks', { title: `${hidden} task`, company_id: company.id, lead_id: lead.id })
  ).data;
  const service = await salon.addService({ name: `${hidden} service` });
  const staff = await salon.addStaff(`${hidden} staff`);
  const booking = (
    await salon.book('2027-02-01T09:00:00Z', {
      service_id: service,
      staff_id: staff,
      customer: { name: `${hidden} customer`, email: 'contact@hidden.example' },
    })
  ).data;
  const records = { company, other, contact, client, lead, activity, task, booking };
  const plain: Record<string, string> = {};
  for (const kind of plainKinds) {
    const made = plainRecord(kind);
    const texts = Object.entries(made.body).filter(([, value]) => typeof value === 'string');
    const body = { ...made.body, ...Object.fromEntries(texts.map(([name]) => [name, `${hidden} ${kind}`])) };
    const { data } = await api.send('POST', made.create.path, {
      json: { ...body, ...naming(made, { company: company.id }) },
    });
    plain[kind] = String(Reflect.get(Object(data), 'id'));
  }
  return { organization, api, records, plain, project, service, staff, pipeline };
}

type World = Awaited<ReturnType<typeof business>>;
type WriteId = {
  // Who creates or updates by a match needs to read as well, so there is nothing to hide; nor is there in what an
  // erasure tells of itself. The items of a batch are looked at below, by the same writes.
  [Id in OperationId]: Id extends
    | `webhook${string}`
    | `${string}.upsert`
    | `${string}.erase`
    | `${string}.batch`
    ? never
    : (typeof operations)[Id]['method'] extends 'POST' | 'PATCH'
      ? Id
      : never;
}[OperationId];

interface Write {
  /** Id in the path. */
  readonly at?: string;
  readonly body?: object;
  /** Fields of the answer, all of them. */
  readonly shown?: readonly string[];
}

const own = ['id', 'app_url'];

const told: Readonly<Partial<Record<WriteId, (world: World) => Write>>> = {
  'companies.create': () => ({ body: { name: 'Own company' } }),
  'companies.update': ({ records }) => ({
    at: records.company.id,
    body: { phone: '+421900333444', vat_id: null },
    shown: [...own, 'phone', 'vat_id'],
  }),
  'contacts.create': ({ records }) => ({ body: { company_id: records.company.id, name: 'Own contact' } }),
  'contacts.update': ({ records }) => ({
    at: records.contact.id,
    body: { position: 'Buyer' },
    shown: [...own, 'position'],
  }),
  'clients.create': ({ records }) => ({ body: { company_id: records.other.id } }),
  'clients.update': ({ records }) => ({
    at: records.client.id,
    body: { note: 'Own' },
    shown: [...own, 'note'],
  }),
  'leads.create': () => ({ body: { company: { registration_id: '36000001' }, value: 5 } }),
  'leads.update': ({ records }) => ({
    at: records.lead.id,
    body: { value: 7, owner_id: null },
    shown: [...own, 'value'],
  }),
  'leads.move': ({ records, pipeline }) => ({
    at: records.lead.id,
    body: { stage_id: pipeline.stages['Lost'], lost_note: 'Own' },
    shown: [...own, 'lost_note'],
  }),
  'leads.archive': ({ records }) => ({ at: records.lead.id, shown: own }),
  'activities.create': ({ records }) => ({
    body: { name: 'Own', start_at: '2026-12-01T08:00:00.000Z', lead_id: records.lead.id },
  }),
  'activities.update': ({ records }) => ({
    at: records.activity.id,
    body: { importance: 'high' },
    shown: [...own, 'importance'],
  }),
  'activities.complete': ({ records }) => ({ at: records.activity.id, shown: own }),
  'tasks.create': ({ records, project }) => ({
    body: {
      title: 'Own',
      company_id: records.company.id,
      project_id: project.id,
      stage_id: stageOf(project, `${hidden} stage`),
    },
  }),
  'tasks.update': ({ records }) => ({
    at: records.task.id,
    body: { priority: 'high' },
    shown: [...own, 'priority'],
  }),
  'invoices.create': ({ records }) => ({
    body: {
      client_id: records.client.id,
      items: [{ name: 'Own', quantity: 1, unit_price: 10, vat_rate: 23 }],
    },
  }),
  'bookings.create': ({ service, staff }) => ({
    body: {
      service_id: service,
      staff_id: staff,
      starts_at: '2027-03-01T09:00:00.000Z',
      customer: { name: 'Own', email: 'contact@hidden.example' },
    },
  }),
  'bookings.cancel': ({ records }) => ({ at: records.booking.id, body: { reason: 'Own' }, shown: own }),
  'orders.create': ({ records }) => ({
    body: {
      customer: { email: 'company@hidden.example' },
      items: [{ sku: 'Own', quantity: 1, unit_price: 1 }],
      notes: records.lead.id,
    },
  }),
};

const declarations = Object.values<OperationDeclaration>(operations);

const isLookedAt = (id: OperationId): id is WriteId =>
  /^(?:POST|PATCH)$/.test(operations[id].method) && !/^webhook|\.(?:upsert|erase|batch)$/.test(id);

/** The writes that are looked at. */
export const ids = operationIds.filter(isLookedAt);

/** The kinds of records of which nothing is said above. */
const plainKinds = [
  ...new Set(ids.filter((id) => !(id in told)).map((id): string => operations[id].resource)),
];

/** A write of which nothing is said above, as the contract has it. */
function plainWrite(id: WriteId): (world: World) => Write {
  const { kind, resource }: OperationDeclaration = operations[id];
  const plain = plainRecord(resource);
  const [change] = Object.entries(plain.changes);
  return ({ plain: records, records: { company, contact, client, lead } }) => {
    if (kind === 'create') {
      const named = { company: company.id, contact: contact.id, client: client.id, lead: lead.id };
      return { body: { ...plain.body, ...naming(plain, named) } };
    }
    const at = records[resource] ?? '';
    if (kind !== 'update' || !change) return { at, shown: own };
    return { at, body: Object.fromEntries([change]), shown: [...own, change[0]] };
  };
}

/** A request of a write that names records which were there before. */
const writeOf = (id: WriteId, world: World): Write => (told[id] ?? plainWrite(id))(world);

interface BatchItem {
  readonly index: number;
  readonly status: number;
  readonly data?: Record<string, unknown>;
}

/** The writes that a batch can do, with the path of that batch. */
export const batched = ids.flatMap((id) => {
  const [resource, verb] = id.split('.');
  const batch = declarations.find((each) => each.id === `${resource}.batch`)?.path;
  return batch && (verb === 'create' || verb === 'update') ? [{ id, batch }] : [];
});

export type CredentialKind = 'a key' | 'a connection whose role shows assigned records only';

async function tokenFor(
  credential: CredentialKind,
  world: World,
  { scope }: OperationDeclaration,
): Promise<string> {
  const scopes: Scope[] = scope ? [scope] : [];
  if (credential === 'a key') return (await world.organization.createKey({ scopes })).token;
  const all: Scope[] = [...scopes, ...declarations.flatMap((each) => each.scope ?? [])];
  const entities = ['companies', 'clients', 'leads', 'activities', 'tasks', 'budget', 'booking', 'orders'];
  const permissions = entities
    .flatMap((entity) => [`${entity}.view=assigned`, `${entity}.edit=all`, `${entity}.create=all`])
    .join(',');
  const usable = [...new Set(all)].filter((each) => each !== 'products:read');
  return (await connectedUser(dealkeep, world.organization, permissions, usable)).token;
}

/** Each write of the API, by a credential that may not read what it writes. */
export function tryWrites(credential: CredentialKind): void {
  // One world for all: none takes away what another one needs.
  let world: Promise<World> | undefined;

  test.each(ids)('%s answers nothing of a record that may not be read and was not written', async (id) => {
    world ??= business();
    const current = await world;
    const declaration: OperationDeclaration = operations[id];
    const { at, body, shown } = writeOf(id, current);
    const before = JSON.stringify(current.records);
    const api = dealkeep.as(await tokenFor(credential, current, declaration), { writesOnly: true });
    const answer = await api.send<Record<string, unknown>>(
      declaration.method,
      declaration.path.replace('{id}', at ?? ''),
      body ? { json: body } : {},
    );
    expect(answer.outcome).toMatch(/^20[01]$/);
    expect(describedProblems(declaration, answer.status, JSON.parse(answer.text))).toEqual([]);
    expect(before).toContain(hidden);
    const sent = JSON.stringify(body ?? {});
    const told = answer.text.match(/"[^"]*hidden[^"]*"/gi) ?? [];
    expect(told.filter((text) => !sent.includes(text))).toEqual([]);
    if (shown) expect(Object.keys(answer.data).toSorted()).toEqual([...shown].toSorted());
    else expect(Object.keys(answer.data).length).toBeGreaterThan(5);
    for (const [name, value] of Object.entries(body ?? {})) {
      if (Object.hasOwn(answer.data, name) && typeof value !== 'object') {
        expect(answer.data[name]).toBe(value);
      }
    }
  });

  test('of a lead that dedupe found: id, app_url and deduplicated, also when it is asked for once more', async () => {
    const world = await business();
    const token = await tokenFor(credential, world, operations['leads.create']);
    const api = dealkeep.as(token, { writesOnly: true });
    const body = { name: 'Own', company: { registration_id: '36000001' }, dedupe: 'company' };
    for (const replayed of [null, 'true']) {
      const answer = await api.post('/leads', body, { 'Idempotency-Key': 'once' });
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, replayed]);
      expect(describedProblems(operations['leads.create'], 200, JSON.parse(answer.text))).toEqual([]);
      expect(answer.data).toEqual({
        id: world.records.lead.id,
        app_url: world.records.lead.app_url,
        deduplicated: true,
      });
    }
  });
}

/** The same writes as items of batches. */
export function tryBatches(credential: CredentialKind): void {
  let world: Promise<World> | undefined;

  test.each(batched)('an item of a batch of $id is shown as $id shows its record', async ({ id, batch }) => {
    world ??= business();
    const current = await world;
    const declaration: OperationDeclaration = operations[id];
    const { at, body = {}, shown } = writeOf(id, current);
    const before = JSON.stringify(current.records);
    const api = dealkeep.as(await tokenFor(credential, current, declaration), { writesOnly: true });
    const item = at ? { ...body, id: at } : body;
    const refused = { ...item, id: at ? '01985f6e-2c41-7001-8a2b-3c4d5e6f7081' : 'unknown' };
    const json = { operation: at ? 'update' : 'create', items: [item, refused] };
    for (const replayed of [null, 'true']) {
      const answer = await api.send<BatchItem[]>('POST', batch, {
        json,
        headers: { 'Idempotency-Key': 'once' },
      });
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([200, replayed]);
      expect(answer.data.map(({ status }) => status)).toEqual(at ? [200, 404] : [201, 422]);
      const ofBatch = declarations.find((each) => each.path === batch) ?? declaration;
      expect(describedProblems(ofBatch, 200, JSON.parse(answer.text))).toEqual([]);
      const sent = JSON.stringify(json);
      const told = answer.text.match(/"[^"]*hidden[^"]*"/gi) ?? [];
      expect(told.filter((text) => !sent.includes(text))).toEqual([]);
      expect(before).toContain(hidden);
      const data = answer.data[0]?.data ?? {};
      if (shown) expect(Object.keys(data).toSorted()).toEqual([...shown].toSorted());
      else expect(Object.keys(data).length).toBeGreaterThan(5);
      expect(answer.data[1]).not.toHaveProperty('data');
    }
  });

  test('an item of a batch whose lead dedupe found is shown as id, app_url and deduplicated', async () => {
    const world = await business();
    const token = await tokenFor(credential, world, operations['leads.create']);
    const items = [{ name: 'Own', company: { registration_id: '36000001' }, dedupe: 'company' }];
    const answer = await dealkeep
      .as(token, { writesOnly: true })
      .send<BatchItem[]>('POST', '/leads/batch', { json: { operation: 'create', items } });
    const { id, app_url } = world.records.lead;
    expect(answer.data).toEqual([{ index: 0, status: 200, data: { id, app_url, deduplicated: true } }]);
  });

  test.each(['companies', 'contacts', 'clients'] as const)(
    'a batch of upserts of %s is refused whole: a match tells what is there',
    async (resource) => {
      const world = await business();
      const api = dealkeep.as(await tokenFor(credential, world, operations[`${resource}.create`]), {
        writesOnly: true,
      });
      const items = [{ match_by: 'name', name: `${hidden} company` }];
      const answer = await api.post(`/${resource}/batch`, { operation: 'upsert', items });
      expect(answer.outcome).toMatch(/^403 /);
      expect(answer.text).not.toContain(hidden);
    },
  );
}
