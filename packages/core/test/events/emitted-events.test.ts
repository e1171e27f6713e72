import { expect, test } from 'vitest';
import { emittedEvents, Outbox } from '../../src/change/events/outbox.ts';

test('it is told of each event to how many webhooks it is on its way and for how many it is held', () => {
  const organization = { id: 'acme', slug: 'acme' };
  const book = new Outbox(organization, '2026-10-01T12:00:00.000Z');
  for (const id of ['one', 'two', 'three']) book.add('lead.created', { id });
  const rows = book.rows();
  const [one = '', two = ''] = rows.map(({ id }) => id);
  const emitted = emittedEvents(organization.id, rows, [
    [one, 'w1', 'sent'],
    [one, 'w2', 'held'],
    [one, 'w3', 'sent'],
    [two, 'w2', 'held'],
  ]);
  expect(emitted.map(({ record_id, deliveries, held }) => [record_id, deliveries, held])).toEqual([
    ['one', 2, 1],
    ['two', 0, 1],
    ['three', 0, 0],
  ]);
});

test('former values with which the envelope would be larger than 256 KiB are left out, the longest first (rule events 29)', () => {
  const book = new Outbox({ id: 'acme', slug: 'acme' }, '2026-10-01T12:00:00.000Z');
  const record = (letter: string) => ({
    id: 'one',
    name: letter,
    note: 'ž'.repeat(40_000) + letter,
    description: letter.repeat(100_000),
  });
  book.addUpdated('lead.updated', record('a'), record('b'));
  const [row] = book.rows();
  const envelope = JSON.parse(row?.envelope ?? '');
  expect(envelope.changed_fields).toEqual(['name', 'note', 'description']);
  expect(Object.keys(envelope.previous)).toEqual(['name', 'note']);
  expect(Buffer.byteLength(row?.envelope ?? '')).toBeLessThanOrEqual(256 * 1024);
  const before = { ...record('b'), name: 'a' };
  book.addUpdated('lead.updated', before, record('b'));
  expect(JSON.parse(book.rows()[1]?.envelope ?? '').previous).toEqual({ name: 'a' });
});
