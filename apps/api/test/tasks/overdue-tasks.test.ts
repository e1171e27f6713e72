import { createOrganization } from '@dealkeep/core/accounts';
import { tellOverdueTasks } from '@dealkeep/core/records';
import { inConsole, ManualClock, startDealkeep, type TestDealkeep } from '@dealkeep/testing';
import { openBusiness, recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

/** What these tests share; those that count all that is swept, or change the schema, have their own. */
const shared = await startWithClock();

async function startWithClock() {
  const clock = new ManualClock();
  return { clock, dealkeep: await startDealkeep({ worker: false, clock }) };
}

/** A business at a moment that the test moves. */
async function openOffice(moment = '2026-10-09T00:00:00.000Z', { clock, dealkeep } = shared) {
  clock.set(moment);
  const business = await openBusiness(dealkeep);
  /** Sweeps at a moment; answers the titles of the tasks that were told of. */
  const sweep = async (at: string): Promise<unknown[]> => {
    clock.set(at);
    const events = await business.eventsDuring(() => tellOverdueTasks(dealkeep.core));
    expect(events.every(({ type }) => type === 'task.overdue')).toBe(true);
    return events.map(({ data }) => data['title']);
  };
  return { ...business, clock, dealkeep, sweep };
}

const setTimeZone = (dealkeep: TestDealkeep, id: string, timeZone: string) =>
  dealkeep.sql`update organizations set time_zone = ${timeZone}, directory_version = directory_version + 1
               where id = ${id}`;

describe('the due moment', () => {
  test('is the due time of the due date in the organization’s time zone (rule tasks 9)', async () => {
    const { api, sweep } = await openOffice();
    await api.post('/tasks', { title: 'Call', due_date: '2026-10-09', due_time: '16:00' });
    expect(await sweep('2026-10-09T13:59:59.999Z')).toEqual([]);
    expect(await sweep('2026-10-09T14:00:00.000Z')).toEqual(['Call']);
  });

  test('is the end of the day without a due time (rule tasks 9)', async () => {
    const { api, sweep } = await openOffice();
    await api.post('/tasks', { title: 'Call', due_date: '2026-10-09' });
    expect(await sweep('2026-10-09T21:59:59.999Z')).toEqual([]);
    expect(await sweep('2026-10-09T22:00:00.000Z')).toEqual(['Call']);
  });

  test('follows winter time', async () => {
    const { api, sweep } = await openOffice();
    await api.post('/tasks', { title: 'Call', due_date: '2026-12-09', due_time: '16:00' });
    expect(await sweep('2026-12-09T14:59:59.999Z')).toEqual([]);
    expect(await sweep('2026-12-09T15:00:00.000Z')).toEqual(['Call']);
  });

  test.each([
    ['Pacific/Kiritimati', '2026-10-09T02:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-10-10T03:00:00.000Z'],
  ])('in %s is %s for 16:00', async (timeZone, moment) => {
    const { api, sweep, dealkeep, organization } = await openOffice('2026-10-01T00:00:00.000Z');
    await setTimeZone(dealkeep, organization.id, timeZone);
    await api.post('/tasks', { title: 'Call', due_date: '2026-10-09', due_time: '16:00' });
    expect(await sweep(new Date(Date.parse(moment) - 1).toISOString())).toEqual([]);
    expect(await sweep(moment)).toEqual(['Call']);
  });

  test('needs a due date', async () => {
    const { api, sweep } = await openOffice();
    await api.post('/tasks', { title: 'Some time', due_time: '08:00' });
    expect(await sweep('2030-01-01T00:00:00.000Z')).toEqual([]);
  });

  test.each(['0001-01-01', '9999-12-31'])('may be as far as %s', async (due_date) => {
    const { api, organization, dealkeep, sweep } = await openOffice();
    await setTimeZone(dealkeep, organization.id, 'Asia/Tokyo');
    const { id } = (await api.post('/tasks', { title: 'Far', due_date })).data;
    expect((await api.patch(`/tasks/${id}`, { title: 'Further' })).data.due_date).toBe(due_date);
    expect(await sweep('2026-10-10T00:00:00.000Z')).toEqual(due_date < '2026' ? ['Further'] : []);
  });
});

test('task.overdue carries what GET answers, and leaves the task as it is (rule tasks 10)', async () => {
  const { api, sweep, eventsDuring, clock, dealkeep } = await openOffice();
  const task = await api.post('/tasks', { title: 'Call', due_date: '2026-10-09' });
  clock.set('2026-10-10T00:00:00.000Z');
  const events = await eventsDuring(() => tellOverdueTasks(dealkeep.core));
  expect(events).toMatchObject([{ type: 'task.overdue', timestamp: '2026-10-10T00:00:00.000Z' }]);
  expect(events[0]?.dataText).toBe(recordText(task.text));
  expect((await api.get(`/tasks/${task.data.id}`)).text).toBe(task.text);
  expect(await sweep('2026-10-10T00:01:00.000Z')).toEqual([]);
});

describe('is told once', () => {
  test('for each due moment: a changed one tells again (rules events 8 and tasks 10)', async () => {
    const { api, sweep } = await openOffice();
    const path = `/tasks/${(await api.post('/tasks', { title: 'Call', due_date: '2026-10-09' })).data.id}`;
    expect(await sweep('2026-10-10T00:00:00.000Z')).toEqual(['Call']);
    await api.patch(path, { title: 'Renamed', priority: 'high' });
    expect(await sweep('2026-10-10T00:01:00.000Z')).toEqual([]);
    await api.patch(path, { due_time: '10:00' });
    expect(await sweep('2026-10-10T00:02:00.000Z')).toEqual(['Renamed']);
    await api.patch(path, { due_date: '2026-10-12' });
    expect(await sweep('2026-10-12T07:59:00.000Z')).toEqual([]);
    expect(await sweep('2026-10-12T08:00:00.000Z')).toEqual(['Renamed']);
    await api.patch(path, { due_date: null });
    expect(await sweep('2026-10-13T00:00:00.000Z')).toEqual([]);
  });

  test('but not when it was completed or archived before (rules tasks 10 and 11)', async () => {
    const { api, sweep, dealkeep, organization } = await openOffice();
    const make = async (title: string) =>
      (await api.post('/tasks', { title, due_date: '2026-10-09' })).data.id;
    const done = await make('Done');
    await api.patch(`/tasks/${done}`, { completed: true });
    await inConsole(dealkeep.core, organization, 'tasks.archive', { id: await make('Away') });
    expect(await sweep('2026-10-10T00:00:00.000Z')).toEqual([]);
    await api.patch(`/tasks/${done}`, { completed: false });
    expect(await sweep('2026-10-10T00:01:00.000Z')).toEqual(['Done']);
    await api.patch(`/tasks/${done}`, { completed: true });
    await api.patch(`/tasks/${done}`, { completed: false });
    expect(await sweep('2026-10-10T00:02:00.000Z')).toEqual([]);
  });

  test('by four workers at once, whatever the number of tasks and organizations', async () => {
    const { api, eventsDuring, clock, dealkeep, organization } = await openOffice(
      undefined,
      await startWithClock(),
    );
    const other = await openBusiness(dealkeep);
    await dealkeep.sql`
      insert into tasks (organization_id, id, title, priority, due_date, created_at, updated_at)
      select ${organization.id}, gen_random_uuid(), 'Task ' || n, 'normal', '2026-10-09', now(), now()
      from generate_series(1, 230) n`;
    await other.api.post('/tasks', { title: 'Theirs', due_date: '2026-10-09' });
    clock.set('2026-10-10T00:00:00.000Z');
    const counts: number[] = [];
    const events = await eventsDuring(async () => {
      const { core } = dealkeep;
      counts.push(...(await Promise.all(Array.from({ length: 4 }, () => tellOverdueTasks(core)))));
    });
    expect(counts.reduce((sum, count) => sum + count)).toBe(231);
    expect(new Set(events.map(({ data }) => data.id)).size).toBe(230);
    expect(events).toHaveLength(230);
    expect((await other.eventTypes()).filter((type) => type === 'task.overdue')).toHaveLength(1);
    expect((await api.walk('/tasks', { limit: 100 })).length).toBe(230);
  });
});

test('a fault in one organization does not keep the others waiting, and is raised', async () => {
  const { api, clock, dealkeep, eventTypes } = await openOffice(undefined, await startWithClock());
  const slug = 'broken';
  const { id } = await createOrganization({ sql: dealkeep.sql, clock }, { name: 'Broken', slug });
  await dealkeep.sql`
    insert into tasks (organization_id, id, title, priority, due_date, created_at, updated_at)
    values (${id}, gen_random_uuid(), 'Broken', 'normal', '2026-10-01', now(), now())`;
  await dealkeep.sql`
    alter table events add constraint broken check (organization_id <> ${dealkeep.sql.unsafe(`'${id}'`)})`;
  await api.post('/tasks', { title: 'Call', due_date: '2026-10-01' });
  await expect(tellOverdueTasks(dealkeep.core)).rejects.toThrow('Some organizations could not be swept');
  expect(await eventTypes()).toEqual(['task.created', 'task.overdue']);
  const [row] = await dealkeep.sql`select overdue_told_of from tasks where organization_id = ${id}`;
  expect(row?.['overdue_told_of']).toBeNull();
});
