import { type RecordReference, recordReferences } from '@dealkeep/contract';
import type { Session } from '@dealkeep/core/accounts';
import { addUser } from '../add-user.ts';
import { inConsole } from '../in-console.ts';
import type { TestDealkeep, TestOrganization } from '../start-dealkeep.ts';
import { naming, plainRecord } from './plain-records.ts';
import { openSalon } from './salon.ts';

type Kind = RecordReference | 'quote';

/** Records of a person that refer to records of others, which the person's role does not show. */
export interface UnseenRecords {
  readonly organization: TestOrganization;
  readonly api: ReturnType<TestDealkeep['as']>;
  readonly user: { readonly id: string; readonly email: string };
  /** Of the person. */
  readonly session: Session;
  /** What the person may not see. */
  readonly unseen: Readonly<Record<'company' | 'contact' | 'client' | 'lead' | 'activity' | 'task', string>>;
  /** What the person may see; most of it refers to what they may not. */
  readonly own: Readonly<Record<Exclude<Kind, 'product'>, string>>;
  /** Texts of records that the person may not see. None of them is a part of another text. */
  readonly secrets: readonly string[];
}

/** A role that shows, of what is assigned to people, a person's own records alone. */
const assignedOnly = [
  ...['leads', 'activities', 'tasks'].flatMap((of) =>
    ['view', 'create', 'edit'].map((right) => `${of}.${right}=assigned`),
  ),
  ...['companies', 'clients'].flatMap((of) => [`${of}.view=assigned`, `${of}.create=all`, `${of}.edit=all`]),
  ...['budget', 'booking', 'orders'].flatMap((of) =>
    ['view', 'create', 'edit'].map((right) => `${of}.${right}=all`),
  ),
].join();

/** An organization with a person of such a role, and records of theirs and of others. */
export async function unseenRecords(dealkeep: TestDealkeep): Promise<UnseenRecords> {
  const { organization, api, book } = await openSalon(dealkeep);
  const user = await addUser(dealkeep, organization, { permissions: assignedOnly });
  const make = async (path: string, body: object): Promise<string> => {
    const { status, data } = await api.post(path, body);
    if (status !== 201) throw new Error(`${path} was refused: ${status}`);
    const { id, uuid } = Object(data);
    return String(id ?? uuid);
  };
  const others = { owner_id: organization.ownerId };
  const company = await make('/companies', {
    ...others,
    name: 'Veiled Works',
    email: 'office@veiled.example',
    phone: '+421900111222',
    registration_id: '87654321',
  });
  const contact = await make('/contacts', {
    company_id: company,
    name: 'Veronika Veiled',
    email: 'veronika@veiled.example',
    phone: '+421900333444',
  });
  const client = await make('/clients', { ...others, company_id: company });
  const lead = await make('/leads', {
    ...others,
    name: 'Veiled deal',
    company_id: company,
    contact_id: contact,
  });
  const start_at = '2026-10-05T08:00:00.000Z';
  const activity = await make('/activities', {
    name: 'Veiled call',
    start_at,
    assignee_id: organization.ownerId,
  });
  const task = await make('/tasks', { title: 'Veiled task', assignee_ids: [organization.ownerId] });

  const mine = { owner_id: user.id };
  const ownCompany = await make('/companies', {
    ...mine,
    name: 'Plain Works',
    email: 'office@plain.example',
  });
  const booking = Object(
    (await book('2026-10-06T08:00:00.000Z', { customer: { name: 'Plain customer' } })).data,
  ).id;
  await dealkeep.sql`
    update bookings set client_id = ${client}, lead_id = ${lead}
    where organization_id = ${organization.id} and id = ${booking}`;
  const items = [{ name: 'Service', unit_price: 10 }];
  const quote = await inConsole(dealkeep.core, organization, 'quotes.create', {
    company_id: company,
    client_id: client,
    lead_id: lead,
    items,
  });
  for (const step of ['quotes.send', 'quotes.accept'] as const) {
    await inConsole(dealkeep.core, organization, step, { id: quote.id });
  }
  const told = {
    company: ownCompany,
    contact: await make('/contacts', { company_id: ownCompany, name: 'Plain person' }),
    client: await make('/clients', { ...mine, company_id: ownCompany, reference_code: 'PLAIN-1' }),
    lead: await make('/leads', { ...mine, name: 'Plain deal', company_id: company, contact_id: contact }),
    activity: await make('/activities', {
      name: 'Plain call',
      start_at,
      assignee_id: user.id,
      company_id: company,
      contact_id: contact,
      lead_id: lead,
    }),
    task: await make('/tasks', {
      title: 'Plain task',
      assignee_ids: [user.id],
      company_id: company,
      lead_id: lead,
    }),
    invoice: await make('/invoices', { company_id: company, client_id: client, items }),
    quote: quote.id,
    booking: String(booking),
    order: await make('/orders', {
      customer: { name: 'Plain buyer', company_uuid: company, client_uuid: client },
      items: [{ sku: 'PLAIN', unit_price: 1, quantity: 1 }],
    }),
  };
  // What stands nowhere above is made by what the contract says of it.
  const furtherKinds = recordReferences.filter((name) => !(name in told) && name !== 'product');
  const made: [string, string][] = [];
  for (const name of furtherKinds) {
    const plain = plainRecord(name);
    const body = { ...plain.body, ...naming(plain, { company, contact, client, lead, user: user.id }) };
    made.push([name, await make(plain.create.path, body)]);
  }
  const own = { ...told, ...Object.fromEntries(made) } as UnseenRecords['own'];
  const { id, slug } = organization;
  const session: Session = {
    accountId: user.id,
    user: { id: user.id, name: 'Eva', email: user.email, active: true, permissions: permitted(assignedOnly) },
    organization: {
      id,
      slug,
      name: 'Test',
      subscription: 'active',
      currency: 'EUR',
      timeZone: 'Europe/Bratislava',
      countryCode: 'SK',
    },
    assistants: { access: 'all', toolSets: null },
    organizations: [],
    language: null,
    csrfToken: '',
    newToken: undefined,
  };
  return {
    organization,
    api,
    user,
    session,
    unseen: { company, contact, client, lead, activity, task },
    own,
    secrets: [
      ...['Veiled Works', 'office@veiled.example', '+421900111222', '87654321'],
      ...['Veronika Veiled', 'veronika@veiled.example', '+421900333444'],
      ...['Veiled deal', 'Veiled call', 'Veiled task'],
    ],
  };
}

const permitted = (permissions: string): Session['user']['permissions'] =>
  Object.fromEntries(
    permissions.split(',').map((each) => {
      const [permission = '', reach] = each.split('=');
      return [permission, reach === 'all' ? 'all' : 'assigned'];
    }),
  );
