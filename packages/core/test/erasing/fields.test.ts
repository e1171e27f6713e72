import {
  type EventType,
  events,
  eventTypes,
  isRecordName,
  type RecordName,
  resources,
  sampleEnvelope,
} from '@dealkeep/contract';
import { erasedKinds, erasedText } from '@dealkeep/core/records';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { eraseInText } from '../../src/records/erasing/erase-json.ts';

/**
 * Fields of records that stay in events: ids, numbers, moments, states, links, and records that erase themselves.
 */
const kept: Readonly<Partial<Record<RecordName, string>>> = {
  company: 'id country_code owner contacts created_at updated_at app_url',
  contact: 'id company is_primary created_at updated_at app_url',
  client: 'id company owner reference_valid_until created_at updated_at app_url',
  lead: 'id status value acquisition_cost expected_close_date company client owner assignees origin pipeline stage stage_entered_at won_at lost_at lost_reason archived_at created_at updated_at deduplicated app_url',
  activity:
    'id status importance start_at end_at completed_at type owner assignee company lead created_at updated_at app_url',
  task: 'id priority start_date due_date due_time completed_at archived_at assignees company lead project stage created_at updated_at app_url',
  booking:
    'id status source starts_at ends_at confirmed_at completed_at cancelled_at price currency client lead service staff created_at app_url',
  order:
    'uuid internal_number external_id external_source status payment_status currency subtotal discount_total shipping_cost vat_total grand_total cod_fee payment_method shipping_method client_uuid company_uuid invoice_uuid created_at updated_at confirmed_at paid_at shipped_at delivered_at cancelled_at app_url',
  invoice:
    'id number status currency issued_date due_date paid_at is_paid is_overdue subtotal vat_amount total remaining_amount variable_symbol items created_at updated_at app_url',
};

/** The same of a kind whose declaration says which columns stay: what is one, or names another record by one. */
const staysIn = (kind: RecordName): readonly string[] => {
  const columns = erasedKinds.get(kind)?.stays ?? [];
  const fields = Object.keys(resources[kind].schema.shape);
  return fields.filter(
    (name) => name === 'app_url' || columns.some((each) => each.replace(/_id$/, '') === name),
  );
};

const isPersonal = (name: string): name is RecordName => isRecordName(name) && erasedKinds.has(name);

test('of each record that events carry, it is said of every field whether an erasure overwrites it', () => {
  // Neither says who bought.
  const others = ['product', 'quote'];
  const carried = new Set(eventTypes.map((type) => events[type].entity));
  expect([...carried].filter((entity) => !isPersonal(entity)).toSorted()).toEqual(others);
  for (const [kind, { fields }] of erasedKinds) {
    const { schema } = resources[kind];
    const stays = kept[kind]?.split(' ') ?? staysIn(kind);
    const erased = Object.keys(fields).filter((name) => !(kind === 'client' && name === 'name'));
    const notOnce = Object.keys(schema.shape).filter(
      (name) => stays.includes(name) === erased.includes(name),
    );
    expect([kind, notOnce]).toEqual([kind, []]);
    expect([kind, [...erased, ...stays].filter((name) => !Object.hasOwn(schema.shape, name))]).toEqual([
      kind,
      [],
    ]);
  }
});

const organization = { id: '01985f6e-2c41-7001-8a2b-3c4d5e6f7081', slug: 'acme' };
const idOf = (data: object): string => String(Reflect.get(data, 'id') ?? Reflect.get(data, 'uuid'));
const personalTypes = eventTypes.filter((type) => isPersonal(events[type].entity));

/** The sample of an event, with what it carries as its former values, too. */
function erasedSample(type: EventType) {
  const { entity } = events[type];
  if (!isPersonal(entity)) throw new Error(`${type} is about no person`);
  const sample = JSON.parse(JSON.stringify(sampleEnvelope(type, organization)));
  const { id, uuid, app_url, updated_at, ...previous } = sample.data;
  const text = eraseInText(JSON.stringify({ ...sample, previous }), (each) =>
    each === idOf(sample.data) ? entity : undefined,
  );
  return { sample, previous, erased: JSON.parse(text), entity };
}

test.each(personalTypes)('%s is a record of the contract when it is erased (rule erasing 6)', (type) => {
  const { sample, erased, entity } = erasedSample(type);
  const { schema } = resources[entity];
  expect(z.safeParse(schema, erased.data).error?.issues ?? []).toEqual([]);
  expect(Object.keys(erased.data)).toEqual(Object.keys(sample.data));
  expect({ ...erased, data: null, previous: null }).toEqual({ ...sample, data: null, previous: null });
});

test.each(personalTypes)('%s loses the same in its former values (rule erasing 7)', (type) => {
  const { previous, erased } = erasedSample(type);
  const ofData = Object.fromEntries(Object.keys(previous).map((name) => [name, erased.data[name]]));
  expect(erased.previous).toEqual(ofData);
});

test('what has no value keeps none, and another record keeps what it has', () => {
  const lead = { id: 'a', name: null, owner: { id: 'b', name: 'Jana' }, contact: { id: 'c', name: 'Eva' } };
  const erase = (...ids: string[]) =>
    JSON.parse(
      eraseInText(JSON.stringify(lead), (id) =>
        ids.includes(id) ? (id === 'c' ? 'contact' : 'lead') : undefined,
      ),
    );
  expect(erase()).toEqual(lead);
  expect(erase('c')).toEqual({ ...lead, contact: { id: 'c', name: erasedText } });
  expect(erase('a')).toEqual({ ...lead, contact: null });
  expect(erase('a', 'c')).toEqual({ ...lead, contact: { id: 'c', name: erasedText } });
});
