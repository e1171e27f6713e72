import { type EventType, isUpdate, watchableFields } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { triggerKey, triggers } from '../src/catalog/triggers.ts';
import { watchChoices } from '../src/triggers/trigger-form.ts';
import { wantedEvents } from '../src/triggers/wanted-events.ts';

const anyEvent = triggers.find((declaration) => triggerKey(declaration) === 'any_event');
if (!anyEvent) throw new Error('There is no trigger for any event.');

const watchedWith = (...types: EventType[]) => Object.keys(watchChoices(anyEvent, { events: types }));

test.each(anyEvent.events.filter(isUpdate))(
  'a workflow for any event that chooses %s can watch every field that the service takes (rule connectors 6)',
  (type) => {
    expect(watchedWith(type)).toEqual(watchableFields(type));
    expect(watchedWith(type).length).toBeGreaterThan(0);
  },
);

test('of several updates those fields can be watched that all of them tell of', () => {
  const both = watchedWith('lead.updated', 'company.updated');
  expect(both).toContain('owner');
  expect(both).not.toContain('value');
  expect(both).not.toContain('phone');
  expect(watchedWith('company.updated', 'lead.updated').toSorted()).toEqual(both.toSorted());
});

test('events that are no updates neither add nor take away fields to watch', () => {
  expect(watchedWith('task.created', 'company.updated')).toEqual(watchedWith('company.updated'));
  const others = anyEvent.events.filter((type) => !isUpdate(type));
  expect(watchedWith(...others)).toEqual([]);
  expect(watchedWith()).toEqual([]);
});

test('what is watched is asked of the service, and keeps no other chosen event away (rule connectors 6)', () => {
  const types: EventType[] = ['company.updated', 'contact.created'];
  expect(wantedEvents(anyEvent, { events: types, fields_to_watch: ['phone'] })).toEqual({
    events: types,
    filters: {},
    changedFields: ['phone'],
  });
});
