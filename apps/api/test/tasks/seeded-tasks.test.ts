import { seedDemo } from '@dealkeep/core/installation';
import { tellOverdueTasks } from '@dealkeep/core/records';
import { startDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { expect, test } from 'vitest';

const dealkeep = await startDealkeep({ worker: false });

test('a demo has tasks: most of what is past is completed, nothing is told of', async () => {
  const { api, organization, eventTypes } = await openBusiness(dealkeep);
  const { tasks: count } = await seedDemo(dealkeep.core, organization.slug, 'small');
  const tasks = await api.walk('/tasks');
  expect(tasks).toHaveLength(count);
  expect(count).toBeGreaterThan(10);
  const now = new Date().toISOString();
  for (const { due_date, completed_at, created_at, updated_at, project, stage, lead } of tasks) {
    expect(String(due_date) > created_at.slice(0, 10)).toBe(true);
    expect(updated_at).toBe(completed_at ?? created_at);
    expect(updated_at <= now).toBe(true);
    expect(project === null).toBe(stage === null);
    if (stage) expect(stage.name === 'Done').toBe(completed_at !== null);
    expect(lead).not.toBeNull();
  }
  const past = tasks.filter(({ due_date }) => String(due_date) < now.slice(0, 10));
  const open = past.filter(({ completed_at }) => completed_at === null);
  expect(open.length).toBeGreaterThan(0);
  expect(open.length).toBeLessThan(past.length / 2);
  expect((await api.get('/projects')).page.data).toHaveLength(3);
  await tellOverdueTasks(dealkeep.core);
  expect(await eventTypes()).toEqual([]);
});

test('a second demo adds to the first', async () => {
  const { api, organization } = await openBusiness(dealkeep);
  const first = await seedDemo(dealkeep.core, organization.slug, 'small');
  const second = await seedDemo(dealkeep.core, organization.slug, 'small');
  expect(await api.walk('/tasks')).toHaveLength(first.tasks + second.tasks);
  expect(await api.walk('/invoices')).toHaveLength(first.invoices + second.invoices);
  expect((await api.get('/projects')).page.data).toHaveLength(3);
});
