import { randomUUIDv7 } from 'node:crypto';
import type { OperationId } from '@dealkeep/contract';
import { inConsole, type TestDealkeep } from '@dealkeep/testing';
import { addProject, defaultPipeline, openSalon, stageOf } from '@dealkeep/testing/business';

/** Something wrong with a body, which can be wrong together with others. */
export interface Fault {
  /** Fields, by their paths, that make it wrong. */
  readonly sets: Readonly<Record<string, unknown>>;
  /** The field that is told. */
  readonly told: string;
  /** Others that are told with it. */
  readonly also?: readonly string[];
  /** Of faults that are about the same, one stands in a body. */
  readonly about?: string;
  /** What is answered when nothing else is wrong. */
  readonly alone?: string;
}

export interface Tried {
  readonly path: string;
  /** Well-formed; with any of the faults it is refused. */
  readonly good: Readonly<Record<string, unknown>>;
  readonly faults: readonly Fault[];
}

const nobody = '01985f6e-0000-7000-8000-000000000000';
const conflict = '409 CONFLICT';
const tooMuch = 999_999_999_999;
const long = 'x'.repeat(70_000);

const wrong = (path: string, value: unknown): Fault => ({ sets: { [path]: value }, told: path });

/**
 * Every operation with a body, and what can be wrong with it; the records that it takes are those of a new business.
 */
export async function triedOperations(dealkeep: TestDealkeep) {
  const salon = await openSalon(dealkeep);
  const { api, organization, name } = salon;
  const { sql } = dealkeep;
  const made = async (path: string, body: object): Promise<string> => {
    const { data } = await api.send<{ id: string }>('POST', path, { json: body });
    return data.id;
  };
  /** An entry of a list that is in use no more. */
  const archived = async (table: string, more: object = {}): Promise<string> => {
    const id = randomUUIDv7();
    const now = new Date().toISOString();
    const row = { organization_id: organization.id, id, name: `Former ${table}`, archived_at: now };
    await sql`insert into ${sql(table)} ${sql({ ...row, created_at: now, updated_at: now, ...more })}`;
    await sql`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
    return id;
  };
  const hook = await made('/webhooks', { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' });
  const acme = await made('/companies', { name: 'Acme', email: 'acme@example.com' });
  const other = await made('/companies', { name: 'Other' });
  const [eva, ofOther] = [
    await made('/contacts', { company_id: acme, name: 'Eva' }),
    await made('/contacts', { company_id: other, name: 'Peter' }),
  ];
  const client = await made('/clients', { company_id: acme });
  const third = await made('/clients', { company_id: await made('/companies', { name: 'Third' }) });
  const pipeline = await defaultPipeline(api);
  const strict = { id: randomUUIDv7(), open: randomUUIDv7(), lost: randomUUIDv7() };
  const now = new Date().toISOString();
  const of = { organization_id: organization.id };
  await sql`insert into pipelines ${sql({ ...of, id: strict.id, name: 'Strict', require_lost_reason: true, created_at: now, updated_at: now })}`;
  for (const [position, kind] of (['open', 'lost'] as const).entries()) {
    const stage = { id: strict[kind], pipeline_id: strict.id, name: kind, kind, position, probability: 0 };
    await sql`insert into stages ${sql({ ...of, ...stage })}`;
  }
  const project = await addProject({ dealkeep, organization }, 'Shop', { Now: 'to_do' });
  const elsewhere = await addProject({ dealkeep, organization }, 'House', { Later: 'to_do' });
  const [origin, reason, type, service, staff] = [
    await archived('lead_origins'),
    await archived('lost_reasons'),
    await archived('activity_types'),
    await archived('booking_services', { duration_minutes: 60, price: null, currency: 'EUR' }),
    await archived('booking_staff', { email: null }),
  ];
  const lead = await made('/leads', {
    name: 'Bikes',
    pipeline_id: strict.id,
    company_id: acme,
    contact_id: eva,
  });
  const activity = await made('/activities', { name: 'Call', start_at: '2026-10-06T09:00:00Z' });
  const task = await made('/tasks', { title: 'Call', project_id: project.id });
  const startsAt = '2026-10-06T09:00:00Z';
  await salon.book(startsAt, { staff_id: salon.staff });
  const booking = (await salon.book('2026-10-07T09:00:00Z')).data.id;
  await inConsole(dealkeep.core, name, 'products.create', { sku: 'FREE', name: 'Without a price' });
  const sale = { customer: {}, items: [{ sku: 'X', quantity: 1, unit_price: 1 }] };
  await api.post('/orders', { ...sale, external_id: 'A-1' });
  const email = wrong('email', 'no address');
  const owner = wrong('owner_id', nobody);
  const ofItems = (row: number, extra: object) => ({
    [`items[${row}].name`]: 'Bike',
    [`items[${row}].quantity`]: 1,
    [`items[${row}].unit_price`]: 1,
    ...extra,
  });
  const lost: Fault = { sets: { stage_id: strict.lost }, told: 'lost_reason_id' };
  const otherPipeline: Fault = { sets: { stage_id: Object.values(pipeline.stages)[0] }, told: 'stage_id' };
  const ofStages = [lost, otherPipeline, wrong('lost_note', 'Of an open lead')].map((fault) => ({
    ...fault,
    about: 'stages',
  }));
  const place = { sets: { project_id: project.id, stage_id: stageOf(elsewhere, 'Later') }, told: 'stage_id' };
  const activityFaults = [
    wrong('name', 'x'.repeat(300)),
    wrong('type_id', type),
    wrong('company_id', nobody),
    wrong('contact_id', 'nobody'),
    wrong('importance', 'none'),
  ];
  const taskFaults = [
    place,
    wrong('title', 'x'.repeat(300)),
    wrong('company_id', nobody),
    wrong('due_date', 'soon'),
    wrong('assignee_ids[0]', nobody),
  ];
  const leadParties: Fault[] = [
    { sets: { company_id: acme, contact_id: ofOther }, told: 'contact_id' },
    { sets: { company: { name: 'Other' }, contact_id: eva }, told: 'contact_id' },
    { sets: { company: { name: 'Unheard of' }, contact_id: eva }, told: 'contact_id' },
    { sets: { company: { phone: '0905' } }, told: 'company.name' },
    {
      sets: { company: { name: 'Unheard of' }, contact: { email: 'eva@example.com' } },
      told: 'contact.name',
    },
    { sets: { company: { name: 'Acme' }, contact: { email: 'jana@example.com' } }, told: 'contact.name' },
    { sets: { company_id: acme, contact: { phone: '0905' } }, told: 'contact.name' },
    { sets: { company_id: acme, company: { name: 'Acme' } }, told: 'company' },
    { sets: { company_id: acme, contact_id: eva, contact: { name: 'Eva' } }, told: 'contact' },
    { sets: { company_id: undefined, dedupe: 'company' }, told: 'dedupe' },
    {
      sets: { company: { phone: '0905' }, contact: { phone: '0905' } },
      told: 'company.name',
      also: ['contact.name'],
    },
    {
      sets: { company: { name: 'Unheard of', email: 'no' }, contact: { phone: '0905' } },
      told: 'company.email',
      also: ['contact.name'],
    },
    { sets: { company: { name: 'Acme' }, contact_id: 'nobody' }, told: 'contact_id' },
  ];
  const leadFaults = [
    wrong('value', -1),
    owner,
    wrong('origin_id', origin),
    wrong('assignee_ids[0]', nobody),
  ];

  const tried = {
    'companies.create': {
      path: '/companies',
      good: { name: 'New' },
      faults: [email, owner, wrong('name', '')],
    },
    'companies.update': { path: `/companies/${acme}`, good: { name: 'New' }, faults: [email, owner] },
    'companies.upsert': {
      path: '/companies/upsert',
      good: { match_by: 'name', name: 'New' },
      faults: [email, owner, wrong('match_by', 'phone')],
    },
    'contacts.upsert': {
      path: '/contacts/upsert',
      good: { match_by: 'email', email: 'new@example.com', company_id: acme, name: 'Jana' },
      faults: [wrong('company_id', nobody), wrong('phone', long)],
    },
    'clients.upsert': {
      path: '/clients/upsert',
      good: { match_by: 'company_id', company_id: other },
      faults: [owner, wrong('reference_code', 'x'.repeat(200))],
    },
    'contacts.create': {
      path: '/contacts',
      good: { company_id: acme, name: 'Jana' },
      faults: [email, wrong('company_id', nobody), wrong('phone', long)],
    },
    'contacts.update': {
      path: `/contacts/${eva}`,
      good: { name: 'Jana' },
      faults: [email, wrong('company_id', nobody)],
    },
    'clients.create': {
      path: '/clients',
      good: { company_id: other },
      faults: [
        { ...wrong('company_id', acme), alone: conflict },
        owner,
        wrong('reference_valid_until', 'soon'),
      ],
    },
    'clients.update': {
      path: `/clients/${third}`,
      good: { note: 'New' },
      faults: [
        { ...wrong('company_id', acme), alone: conflict },
        owner,
        wrong('reference_code', 'x'.repeat(200)),
      ],
    },
    'leads.create': {
      path: '/leads',
      good: { name: 'New' },
      faults: [
        ...leadFaults,
        ...leadParties.map((fault) => ({ ...fault, about: 'people' })),
        ...ofStages.filter(({ told }) => told !== 'stage_id'),
        { sets: { pipeline_id: strict.id, ...otherPipeline.sets }, told: 'stage_id', about: 'stages' },
      ],
    },
    'leads.update': {
      path: `/leads/${lead}`,
      good: { name: 'New' },
      faults: [
        ...leadFaults,
        ...ofStages,
        wrong('contact_id', ofOther),
        { sets: { company_id: null, contact_id: eva }, told: 'contact_id' },
      ],
    },
    'leads.move': {
      path: `/leads/${lead}/move`,
      good: { stage_id: strict.open },
      faults: [...ofStages, wrong('lost_reason_id', reason), wrong('lost_note', long)],
    },
    'leads.archive': {
      path: `/leads/${lead}/archive`,
      good: {},
      faults: [wrong('lost_reason_id', reason), wrong('lost_note', long)],
    },
    'activities.create': {
      path: '/activities',
      good: { name: 'Call', start_at: startsAt },
      faults: [...activityFaults, wrong('end_at', '2026-10-06T08:00:00Z')],
    },
    'activities.update': {
      path: `/activities/${activity}`,
      good: { note: 'New' },
      faults: [
        ...activityFaults,
        wrong('end_at', '2026-10-06T08:00:00Z'),
        { sets: { start_at: '2026-10-06T11:00:00Z', end_at: undefined }, told: 'start_at' },
      ],
    },
    'bookings.create': {
      path: '/bookings',
      good: { service_id: salon.service, starts_at: startsAt, customer: { name: 'Eva' } },
      faults: [
        { sets: { staff_id: salon.staff, service_id: salon.service }, told: 'starts_at', alone: conflict },
        wrong('service_id', service),
        wrong('staff_id', staff),
        wrong('starts_at', '9999-12-31T23:59:00Z'),
        wrong('customer.email', 'no address'),
        wrong('customer.name', undefined),
        wrong('notes', 'x'.repeat(3000)),
      ],
    },
    'bookings.cancel': {
      path: `/bookings/${booking}/cancel`,
      good: {},
      faults: [wrong('reason', long)],
    },
    'orders.create': {
      path: '/orders',
      good: sale,
      faults: [
        { ...wrong('external_id', 'A-1'), alone: conflict },
        wrong('customer.email', 'no address'),
        wrong('customer.client_uuid', nobody),
        wrong('currency', 'XXQ'),
        wrong('discount_total', -1),
        { sets: { 'items[1]': { sku: 'UNKNOWN', quantity: 1 } }, told: 'items[1].unit_price' },
        { sets: { 'items[2]': { sku: 'FREE', quantity: 1 } }, told: 'items[2].unit_price' },
        { sets: { 'items[3]': { quantity: 1 } }, told: 'items[3].product_uuid' },
        { sets: { 'items[4]': { sku: 'X', quantity: 2, unit_price: tooMuch } }, told: 'items[4]' },
        {
          sets: Object.fromEntries(
            [5, 6].map((row) => [`items[${row}]`, { sku: 'X', quantity: 1, unit_price: tooMuch }]),
          ),
          told: 'items',
        },
        { sets: { 'items[7]': { sku: 'X', unit_price: 1 } }, told: 'items[7].quantity' },
      ],
    },
    'tasks.create': { path: '/tasks', good: { title: 'New' }, faults: taskFaults },
    'tasks.update': { path: `/tasks/${task}`, good: { description: 'New' }, faults: taskFaults },
    'invoices.create': {
      path: '/invoices',
      good: { items: [{ name: 'Bike', unit_price: 1 }], issued_date: '2026-10-06' },
      faults: [
        { sets: { client_id: client, company_id: other }, told: 'client_id' },
        wrong('due_date', '2026-10-05'),
        wrong('currency', 'XXQ'),
        wrong('note', long),
        { sets: ofItems(1, { 'items[1].quantity': 2, 'items[1].unit_price': tooMuch }), told: 'items[1]' },
        {
          sets: {
            ...ofItems(2, { 'items[2].unit_price': tooMuch }),
            ...ofItems(3, { 'items[3].unit_price': tooMuch }),
          },
          told: 'items',
        },
        { sets: ofItems(4, { 'items[4].vat_rate': 230 }), told: 'items[4].vat_rate' },
      ],
    },
    'webhooks.create': {
      path: '/webhooks',
      good: { target_url: 'http://127.0.0.1:4567/', events: ['lead.created'] },
      faults: [
        { ...wrong('target_url', 'http://10.0.0.1/'), alone: '422 WEBHOOK_URL_INVALID' },
        { ...wrong('events[1]', 'lead.eaten'), alone: '422 UNKNOWN_EVENT' },
        wrong('events[2]', 'lead.created'),
        { sets: { events: undefined, event: undefined }, told: 'events' },
        wrong('event', 'lead.created'),
        wrong('name', long),
      ],
    },
    'webhooks.update': {
      path: `/webhooks/${hook}`,
      good: { name: 'Leads', events: ['lead.created'] },
      faults: [
        { ...wrong('target_url', 'http://10.0.0.1/'), alone: '422 WEBHOOK_URL_INVALID' },
        { ...wrong('events[1]', 'lead.eaten'), alone: '422 UNKNOWN_EVENT' },
        wrong('events[2]', 42),
        { sets: { filters: { project_id: [nobody] } }, told: 'filters.project_id' },
        { sets: { changed_fields: ['stage'] }, told: 'changed_fields' },
        wrong('name', long),
      ],
    },
    'webhooks.test': {
      path: `/webhooks/${hook}/test`,
      good: {},
      faults: [{ ...wrong('event', 'lead.eaten'), alone: '422 UNKNOWN_EVENT' }, wrong('colour', 'red')],
    },
    'webhooks.recover': {
      path: `/webhooks/${hook}/recover`,
      good: { since: new Date().toISOString() },
      faults: [wrong('since', '2999-01-01T00:00:00Z'), wrong('only_failed', 'yes'), wrong('until', 'later')],
    },
  } satisfies Partial<Record<OperationId, Tried>>;
  return { api, token: organization.key, tried };
}
