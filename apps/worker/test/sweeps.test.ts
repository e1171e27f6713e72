import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';

test('a running worker tells of what has become due (rule events 8)', async () => {
  const dealkeep = await startDealkeep();
  const organization = await dealkeep.createOrganization();
  const api = dealkeep.as(organization.key);
  await api.post('/tasks', { title: 'Call', due_date: '2020-01-01' });
  await api.post('/invoices', { items: [{ name: 'x', unit_price: 1 }], issued_date: '2020-01-01' });
  // What the clock does each minute.
  for (const task of ['tell_overdue_tasks', 'mark_overdue_invoices']) {
    await dealkeep.sql`select graphile_worker.add_job(${task})`;
  }
  await eventually(async () => {
    const types = (await dealkeep.eventsOf(organization)).map(({ type }) => type);
    expect(types).toHaveLength(4);
    expect(types).toEqual(expect.arrayContaining(['task.overdue', 'invoice.overdue']));
  });
});

test('the sweeps are scheduled', async () => {
  const dealkeep = await startDealkeep();
  await eventually(async () => {
    const rows = await dealkeep.sql<{ identifier: string }[]>`
      select identifier from graphile_worker._private_known_crontabs`;
    const names = rows.map(({ identifier }) => identifier);
    const overdue = ['tell_overdue_tasks', 'mark_overdue_invoices', 'continue_erasures'];
    const ended = ['end_idle_connections', 'end_hooks_of_dead_keys', 'remove_old_each_minute'];
    expect(names).toEqual(expect.arrayContaining([...overdue, ...ended]));
  });
});
