import { isApiRecord } from '@dealkeep/connectors';
import { expect, test } from 'vitest';
import { outputFieldsOf } from '../bin/checks/definition.ts';
import { Definition } from '../bin/checks/index.ts';
import { type Results, resultChecks, resultFindings } from '../bin/checks/result-checks.ts';
import { apiKey } from '../src/index.ts';
import { definitionOf } from './platform/definition-of.ts';

const trigger = Definition.parse(await definitionOf(apiKey)).triggers['order_created'];
if (!trigger) throw new Error('There is no New Order.');
const sample = trigger.operation.sample ?? {};
const outputFields = outputFieldsOf(trigger);
const [item] = Array.isArray(sample['items']) ? sample['items'].filter(isApiRecord) : [];
const { currency: _, ...withoutCurrency } = sample;

/** For each check results that it alone finds fault with, and where. */
const faults: Record<string, { where: string; results: Partial<Results> }> = {
  T003: { where: 'notes', results: { live: { ...sample, notes: '01.10.2026' } } },
  T004: { where: 'currency', results: { live: withoutCurrency, listed: [] } },
  T005: {
    where: 'items[]quantity',
    results: { live: { ...sample, items: [{ ...item, quantity: 'two' }] } },
  },
  T006: { where: 'surprise', results: { listed: [{ ...sample, surprise: 1 }] } },
  Z001: { where: 'subtotal', results: { listed: [{ ...sample, subtotal: '810' }] } },
};

test('results that are as the sample, or emptier, pass', () => {
  const empty = { ...sample, items: [], notes: null };
  expect(resultFindings(trigger, { live: sample, listed: [sample, empty], outputFields })).toEqual([]);
  expect(resultFindings(trigger, { live: empty, listed: [sample], outputFields })).toEqual([]);
});

test('every check of results has a seeded fault', () => {
  expect(Object.keys(faults).sort()).toEqual(resultChecks.map(({ code }) => code).sort());
});

test.each(Object.entries(faults))('%s finds its seeded fault, and no other one does', (code, fault) => {
  const results = { live: sample, listed: [sample], outputFields, ...fault.results };
  const found = resultFindings(trigger, results).map((finding) =>
    finding.slice(0, finding.lastIndexOf(': ')),
  );
  expect(found).toEqual([`${code} order_created.${fault.where}`]);
});
