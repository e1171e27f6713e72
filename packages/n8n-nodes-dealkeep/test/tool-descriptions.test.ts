import { expect, test } from 'vitest';
import { actionDescription } from '../nodes/shared/generated/action-description.ts';
import { toolDescriptions } from '../nodes/shared/tool-descriptions.ts';

const described = toolDescriptions(actionDescription).map(({ default: text, displayOptions }) => ({
  resource: String(displayOptions?.show?.['resource']),
  operation: String(displayOptions?.show?.['operation']),
  text: String(text),
}));

test('an agent is told of every operation what it does (rule n8n 12)', () => {
  const operations = actionDescription
    .filter(({ name }) => name === 'operation')
    .flatMap(({ options = [] }) => options);
  expect(described.length).toBe(operations.length);
  expect(new Set(described.map(({ text }) => text)).size).toBe(operations.length);
  for (const { text } of described) expect(text).toMatch(/^[A-Z].* in Dealkeep\. .+\.$/);
});

test('an agent is told when to look for records, and when to create, change or read one (rule n8n 12)', () => {
  const told = (operation: string) =>
    described.find((each) => each.resource === 'company' && each.operation === operation)?.text;
  expect(told('getAll')).toContain('the IDs that other tools ask for');
  expect(told('create')).toContain('when nothing that fits exists');
  expect(told('update')).toContain('the others stay as they are');
  expect(told('get')).toContain('when the ID is known');
  expect(told('upsert')).toContain('not known whether');
});

test('an agent is told that empty values change nothing, and that empty filters find everything (rule n8n 12)', () => {
  const told = (operation: string) =>
    described.find((each) => each.resource === 'company' && each.operation === operation)?.text;
  expect(told('update')).toContain('An empty value leaves its field as it is.');
  expect(told('getAll')).toContain('An empty filter is ignored.');
  expect(told('get')).not.toContain('mpty');
});

test('an agent is told of an ID only where one is needed', () => {
  const text = described.find(({ resource }) => resource === 'me')?.text;
  expect(text).not.toContain('ID');
});

test('what an agent is told is short', () => {
  for (const { text } of described) expect(text.length).toBeLessThan(400);
});
