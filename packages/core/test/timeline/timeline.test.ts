import {
  type Permission,
  type PermissionReach,
  searchedKindNames,
  timelineOperation,
} from '@dealkeep/contract';
import type { Session } from '@dealkeep/core/accounts';
import { runAsUser } from '@dealkeep/core/operations';
import { inConsole, sharedDealkeep, type TestOrganization } from '@dealkeep/testing';
import { expect, test } from 'vitest';

const { core, createOrganization, as } = await sharedDealkeep();

const sessionOf = (
  { id, slug, ownerId, ownerEmail }: TestOrganization,
  permissions: Session['user']['permissions'] = 'owner',
): Session => ({
  accountId: ownerId,
  user: { id: ownerId, name: 'Jana', email: ownerEmail, active: true, permissions },
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
});

type About = 'all' | 'changes' | 'activities';
async function timeline(
  session: Session,
  kind: 'companies' | 'leads',
  id: string,
  { about, cursor }: { about?: About; cursor?: string } = {},
) {
  const query = Object.entries({ about, cursor }).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  const page = await runAsUser(core, session, `${kind}.timeline`, { path: { id }, query });
  return { ...page, types: page.entries.map(({ event }) => event.type) };
}

async function make(organization: TestOrganization, path: '/companies' | '/leads' | '/tasks', body: object) {
  const { status, json } = await as(organization.key).post(path, body);
  expect(status).toBe(201);
  return String(Object(json).data.id);
}

test('a company shows what happened to it and to what belongs to it, the newest first', async () => {
  const organization = await createOrganization();
  const company = await make(organization, '/companies', { name: 'Tatra' });
  const lead = await make(organization, '/leads', { name: 'Fleet', company_id: company });
  await make(organization, '/tasks', { title: 'Call', company_id: company });
  await make(organization, '/leads', { name: 'Of nobody' });
  await as(organization.key).patch(`/leads/${lead}`, { value: 5 });
  const session = sessionOf(organization);
  const all = await timeline(session, 'companies', company);
  expect(all.types).toEqual(['lead.updated', 'task.created', 'lead.created', 'company.created']);
  expect(all.entries[0]?.event).toMatchObject({ previous: { value: null }, data: { value: 5 } });
  expect(all.next_cursor).toBeNull();
  // Who did it stands in the audit log.
  expect(all.entries[0]?.by).toMatchObject({ kind: 'key', via: expect.any(String) });
  await inConsole(core, organization, 'leads.archive', { id: lead });
  const [archived] = (await timeline(session, 'leads', lead)).entries;
  expect(archived?.by).toMatchObject({ kind: 'user', name: expect.any(String), via: null });
  const changes = await timeline(session, 'companies', company, { about: 'changes' });
  expect(changes.types).toEqual(['lead.archived', 'lead.updated', 'lead.created', 'company.created']);
  const activities = await timeline(session, 'companies', company, { about: 'activities' });
  expect(activities.types).toEqual(['task.created']);
});

test('pages follow each other without a gap, and a cursor of another timeline is refused', async () => {
  const organization = await createOrganization();
  const company = await make(organization, '/companies', { name: 'Tatra' });
  for (let value = 1; value <= 44; value += 1) {
    await as(organization.key).patch(`/companies/${company}`, { note: `Note ${value}` });
  }
  const session = sessionOf(organization);
  const notes: unknown[] = [];
  let cursor: string | null | undefined;
  for (let pages = 0; pages < 5 && cursor !== null; pages += 1) {
    const page = await timeline(session, 'companies', company, cursor ? { cursor } : {});
    expect(page.entries.length).toBeLessThanOrEqual(20);
    notes.push(...page.entries.map(({ event }) => event.data['note']));
    cursor = page.next_cursor;
  }
  expect(notes).toEqual([...Array.from({ length: 44 }, (_, at) => `Note ${44 - at}`), null]);
  const first = await timeline(session, 'companies', company);
  const other = await make(organization, '/companies', { name: 'Other' });
  await expect(
    timeline(session, 'companies', other, { cursor: first.next_cursor ?? '' }),
  ).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
});

test('the role says what is shown: of what it does not permit nothing, of assigned records the own ones', async () => {
  const organization = await createOrganization();
  const company = await make(organization, '/companies', { name: 'Tatra' });
  await make(organization, '/leads', { name: 'Own', company_id: company, owner_id: organization.ownerId });
  await make(organization, '/leads', { name: 'Of nobody', company_id: company });
  await make(organization, '/tasks', { title: 'Call', company_id: company });
  const named = async (permissions: Partial<Record<Permission, PermissionReach>>) => {
    const { entries } = await timeline(sessionOf(organization, permissions), 'companies', company);
    return entries.map(({ event }) => event.data['name'] ?? event.data['title']);
  };
  expect(await named({ 'companies.view': 'all' })).toEqual(['Tatra']);
  expect(await named({ 'companies.view': 'all', 'leads.view': 'assigned' })).toEqual(['Own', 'Tatra']);
  expect(await named({ 'companies.view': 'all', 'tasks.view': 'all' })).toEqual(['Call', 'Tatra']);
  await expect(named({ 'leads.view': 'all' })).rejects.toMatchObject({ code: 'ROLE_PERMISSION_MISSING' });
  const counted = await runAsUser(
    core,
    sessionOf(organization, { 'companies.view': 'all', 'leads.view': 'assigned' }),
    'companies.related',
    { path: { id: company } },
  );
  expect(counted).toEqual(
    expect.arrayContaining([
      { resource: 'lead', records: 1 },
      { resource: 'contact', records: 0 },
    ]),
  );
  expect(counted.map(({ resource }) => resource)).not.toContain('task');
});

test('another organization sees nothing of it', async () => {
  const [organization, other] = [await createOrganization(), await createOrganization()];
  const company = await make(organization, '/companies', { name: 'Tatra' });
  await make(organization, '/leads', { name: 'Fleet', company_id: company });
  expect((await timeline(sessionOf(other), 'companies', company)).types).toEqual([]);
  const counted = await inConsole(core, other, 'companies.related', { id: company });
  expect(counted.every(({ records }) => records === 0)).toBe(true);
});

test('every kind with a page has a timeline', async () => {
  const organization = await createOrganization();
  const id = crypto.randomUUID();
  for (const kind of searchedKindNames) {
    const named = kind === 'order' || kind === 'product' ? { uuid: id } : { id };
    expect(await inConsole(core, organization, timelineOperation(kind), named), kind).toMatchObject({
      entries: [],
    });
  }
});
