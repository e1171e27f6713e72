import { operationIds, operations } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { expectShort } from './answer-tokens.ts';
import { refusalIn, textOf } from './assistant.ts';
import { atWork } from './at-work.ts';

const { call, tools } = await atWork({ demo: true });

test('every list and every record of a business is answered as its tool tells', async () => {
  const lists = tools.filter(({ name }) => name.startsWith('list_') && name !== 'list_webhook_deliveries');
  for (const { name, inputSchema } of lists) {
    if (inputSchema.required?.length) continue;
    const listed = await call(name);
    expect(refusalIn(listed), name).toBeUndefined();
    const { items } = Object(listed.structuredContent);
    const read = tools.find((tool) => tool.name === toolThatReads(name));
    const [argument] = read?.inputSchema.required ?? [];
    if (!read || argument === undefined || items.length === 0) continue;
    const id = items[0].id ?? items[0].uuid;
    const record = await call(read.name, { [argument]: id });
    expect(refusalIn(record), read.name).toBeUndefined();
    expect(textOf(record), read.name).toContain(id);
  }
});

/** `list_booking_services` → `get_booking_service` */
function toolThatReads(list: string): string | undefined {
  const declaration = operationIds
    .map((id) => operations[id])
    .find(({ id, kind }) => kind === 'list' && `list_${id.split('.')[0]?.replaceAll('-', '_')}` === list);
  return declaration && `get_${declaration.resource.replaceAll('-', '_')}`;
}

test('every list of a business takes at most 2,000 tokens, however many records are asked for', async () => {
  for (const { name, inputSchema } of tools) {
    if (!name.startsWith('list_') || inputSchema.required?.length) continue;
    expectShort(name, await call(name, 'limit' in (inputSchema.properties ?? {}) ? { limit: 100 } : {}));
  }
});
