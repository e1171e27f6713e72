import { sharedDealkeep, startDealkeep } from '@dealkeep/testing';
import { openBusiness, recordText } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

// Leads that are created and read at the same moment, with the small tables in memory.

const dealkeep = await sharedDealkeep();

/** An organization that has created a lead before, so that its small tables are known to the process. */
async function openKnown(place = dealkeep) {
  const business = await openBusiness(place);
  expect((await business.api.post('/leads', { name: 'First' })).status).toBe(201);
  return business;
}

/** Bodies with everything that such a lead may have. */
async function bodiesOf({ api, organization: { ownerId } }: Awaited<ReturnType<typeof openKnown>>) {
  const [pipeline] = (await api.get('/pipelines')).page.data;
  const [origin] = (await api.get('/lead-origins')).page.data;
  return [
    {},
    { name: null, value: null, note: '', assignee_ids: [] },
    { name: ' Žltý "kôň" \\ 😀 {a,b} ', note: 'line\nline\u2028\t</script>' },
    { value: 0, acquisition_cost: 999_999_999_999.99, expected_close_date: '0001-02-28' },
    { value: 1.005, acquisition_cost: 0.1 },
    { owner_id: ownerId.toUpperCase(), assignee_ids: [ownerId, ownerId] },
    { pipeline_id: pipeline?.id, origin_id: origin?.id },
    { stage_id: pipeline?.stages.find(({ kind }) => kind === 'open')?.id },
    { stage_id: pipeline?.stages.find(({ kind }) => kind === 'won')?.id },
  ];
}

test('each is answered, told and read alike, in its own organization, whatever its fields', async () => {
  const businesses = await Promise.all([openKnown(), openKnown()]);
  const bodies = await Promise.all(businesses.map(bodiesOf));
  const created = await Promise.all(
    businesses.flatMap(({ api, organization }, at) =>
      (bodies[at] ?? []).map(async (body) => ({ api, organization, answer: await api.post('/leads', body) })),
    ),
  );
  for (const { api, organization, answer } of created) {
    expect(answer.status).toBe(201);
    expect((await api.get(`/leads/${answer.data.id}`)).text).toBe(answer.text);
    const [event] = await dealkeep.eventsOf(organization, answer.data.id);
    expect(event).toMatchObject({ type: 'lead.created', organization: { id: organization.id } });
    expect(event?.dataText).toBe(recordText(answer.text));
  }
  expect(created.map(({ answer }) => answer.data)).toContainEqual(
    expect.objectContaining({ value: 1.01, acquisition_cost: 0.1 }),
  );
});

test('one that cannot be written keeps none of the others from being created, once each', async () => {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const own = await startDealkeep({ worker: false, log: quiet });
  const { api } = await openKnown(own);
  await own.sql`alter table leads add constraint refused check (name <> 'Refused')`;
  const names = ['A', 'B', 'Refused', 'C'];
  const answers = await Promise.all(names.map((name) => api.post('/leads', { name })));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 500, 201]);
  const listed = await api.walk('/leads');
  expect(listed.map(({ name }) => name).toSorted()).toEqual(['A', 'B', 'C', 'First']);
});

test('a stage that another process renamed a moment ago is told by its new name', async () => {
  const { api, organization } = await openKnown();
  await dealkeep.sql.begin(async (tx) => {
    await tx`update stages set name = 'Renamed' where organization_id = ${organization.id}`;
    await tx`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  });
  const { data } = await api.post('/leads', { name: 'Late' });
  expect(data.stage?.name).toBe('Renamed');
  const [event] = await dealkeep.eventsOf(organization, data.id);
  expect(event?.data['stage']).toMatchObject({ name: 'Renamed' });
});

/** What another process did: this one's memory does not know of it. */
const behindItsBack = (organization: { id: string }, table: string, column: string, value: unknown) =>
  dealkeep.sql.begin(async (tx) => {
    await tx`update ${tx(table)} set ${tx({ [column]: value })} where organization_id = ${organization.id}`;
    await tx`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
  });

test.each(['without', 'with'])(
  'an origin that another process archived a moment ago is refused, and one that it brought back is taken, %s a key',
  async (key) => {
    const { api, organization } = await openKnown();
    const [origin] = (await api.get('/lead-origins')).page.data;
    const create = (name: string): Promise<{ status: number }> => {
      const headers = { 'Idempotency-Key': name };
      return api.post('/leads', { name, origin_id: origin?.id }, key === 'with' ? headers : {});
    };
    await behindItsBack(organization, 'lead_origins', 'archived_at', '2026-01-01T00:00:00Z');
    for (let times = 0; times < 2; times += 1) expect((await create('Refused')).status).toBe(422);
    await behindItsBack(organization, 'lead_origins', 'archived_at', null);
    expect((await create('Taken')).status).toBe(201);
    expect((await api.walk('/leads')).map(({ name }) => name).toSorted()).toEqual(['First', 'Taken']);
  },
);

test.each(['without', 'with'])(
  'a stage that another process removed a moment ago is refused by its field, %s a key',
  async (key) => {
    const { api, organization } = await openKnown();
    const [pipeline] = (await api.get('/pipelines')).page.data;
    const [first, , third] = pipeline?.stages ?? [];
    const { data: lead } = await api.post('/leads', { name: 'Second', stage_id: first?.id });
    await dealkeep.sql.begin(async (tx) => {
      await tx`delete from stages where organization_id = ${organization.id} and id = ${third?.id ?? ''}`;
      await tx`update organizations set directory_version = directory_version + 1 where id = ${organization.id}`;
    });
    const refused = [
      ['/leads', { name: 'Third', stage_id: third?.id }],
      [`/leads/${lead.id}/move`, { stage_id: third?.id }],
    ] as const;
    for (const [path, body] of refused) {
      const headers = { 'Idempotency-Key': path };
      const { status, error } = await api.post(path, body, key === 'with' ? headers : {});
      expect([status, error?.detail]).toMatchObject([
        422,
        { fields: [{ path: 'stage_id', code: 'not_found' }] },
      ]);
    }
  },
);

test('small tables that went back to an older version, as after a fail-over, are taken as they are', async () => {
  const { api, organization } = await openKnown();
  await dealkeep.sql`
    update organizations set directory_version = directory_version - 1 where id = ${organization.id}`;
  expect((await api.post('/leads', { name: 'Afterwards' })).status).toBe(201);
});

test('leads that many read at once are each read as its organization has it', async () => {
  const [one, other] = await Promise.all([openKnown(), openKnown()]);
  const [lead] = await one.api.walk('/leads');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? one : other).api.get(`/leads/${lead?.id}`)),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, at) => (at % 2 === 0 ? 200 : 404)));
  expect(answers[0]?.data).toEqual(lead);
});
