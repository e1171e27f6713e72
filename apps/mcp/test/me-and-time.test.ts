import { addDays, dayOf, momentOfLocal } from '@dealkeep/core/foundations';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { connectAssistant, refusalIn } from './assistant.ts';
import { atWork } from './at-work.ts';

const dealkeep = await sharedDealkeep();

test('"me" is who calls, wherever a person is asked for (rule assistants 22)', async () => {
  const { api, call, organization } = await atWork();
  await api.post('/leads', { name: 'Of nobody', owner_id: null });
  const made = await call('create_lead', { name: 'Mine', owner: 'me', assignees: ['Me'] });
  expect(made.structuredContent).toMatchObject({
    owner: { id: organization.ownerId },
    assignees: [{ id: organization.ownerId }],
  });
  const listed = await call('list_leads', { owner: 'me' });
  expect(listed.structuredContent).toMatchObject({ items: [{ name: 'Mine' }] });
});

test('words for days and local times are read where the organization is (rule assistants 22)', async () => {
  const { call, organization } = await atWork();
  await dealkeep.sql`update organizations set time_zone = 'Pacific/Kiritimati' where id = ${organization.id}`;
  const assistant = await connectAssistant(dealkeep.baseUrl, (await organization.createKey({})).token);
  const ask = async (name: string, given: Record<string, unknown>) =>
    (await assistant.callTool({ name, arguments: given })).structuredContent;
  const zone = 'Pacific/Kiritimati';
  const day = (days: number) => addDays(dayOf(new Date().toISOString(), zone), days);
  for (const [word, days] of [
    ['yesterday', -1],
    ['today', 0],
    ['Tomorrow', 1],
  ] as const) {
    const task = await ask('create_task', { title: word, start_date: '2020-01-01', due_date: word });
    expect(task).toMatchObject({ due_date: day(days) });
  }
  for (const [given, moment] of [
    ['2026-10-02T10:00', '2026-10-01T20:00:00.000Z'],
    ['2026-10-02 9:30', '2026-10-01T19:30:00.000Z'],
    ['2026-10-02T10:00:15', '2026-10-01T20:00:15.000Z'],
    ['2026-10-02T10:00:00+02:00', '2026-10-02T08:00:00.000Z'],
    ['2026-10-02T10:00:00Z', '2026-10-02T10:00:00.000Z'],
    ['tomorrow at 10:00', momentOfLocal(`${day(1)}T10:00`, zone)],
    ['today 07:05', momentOfLocal(`${day(0)}T07:05`, zone)],
  ]) {
    const made = await ask('create_activity', { name: given, type: 'Phone call', start_at: given });
    expect(made, given).toMatchObject({ start_at: moment });
  }
  const coming = await ask('list_activities', { start_after: 'tomorrow', start_before: '9999-01-01' });
  expect(coming).toMatchObject({ items: [{ name: 'tomorrow at 10:00' }] });
  const alone = { name: 'When', type: 'Phone call', start_at: 'tomorrow' };
  expect(refusalIn(await call('create_activity', alone))).toContain(
    'start_at: Say at which time, like tomorrow 10:00.',
  );
  const wrong = { name: 'When', type: 'Phone call', start_at: '2026-02-31T10:00' };
  expect(refusalIn(await call('create_activity', wrong))).toContain('- start_at: ');
});
