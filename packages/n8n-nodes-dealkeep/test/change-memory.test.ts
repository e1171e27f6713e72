import { describe, expect, test } from 'vitest';
import { events } from '../nodes/shared/generated/events.ts';
import type { EventTable } from '../nodes/shared/tables.ts';
import { ChangeMemory, changeNames } from '../nodes/shared/trigger/change-memory.ts';

function event(type: string): EventTable {
  const found = events[type];
  if (!found) throw new Error(`There is no event ${type}`);
  return found;
}
const [created, updated] = [event('company.created'), event('company.updated')];
const at = (moment: string) => ({ updated_at: moment });
let node = 0;
/** A memory of a node that no other test knows. */
const memoryOf = (staticData: Record<string, unknown> = {}) => new ChangeMemory(staticData, `node ${node++}`);

describe('what a workflow has received', () => {
  test('is not brought again by catching up', () => {
    const memory = memoryOf();
    memory.remember(changeNames(created, 'a', at('1')), 'delivered');
    memory.remember(changeNames(updated, 'b', at('2')), 'delivered');
    expect(memory.isKnown(changeNames(created, 'a', at('1')))).toBe(true);
    expect(memory.isKnown(changeNames(updated, 'b', at('2')))).toBe(true);
    expect(memory.isKnown(changeNames(created, 'c', at('1')))).toBe(false);
  });

  test('was created once, whatever was changed in it since', () => {
    const memory = memoryOf();
    memory.remember(changeNames(created, 'a', at('1')), 'delivered');
    expect(memory.isKnown(changeNames(created, 'a', at('2')))).toBe(true);
    expect(memory.isKnown(changeNames(updated, 'a', at('2')))).toBe(false);
  });

  test('needs no update to what it was when it came as a new record', () => {
    const memory = memoryOf();
    memory.remember(changeNames(created, 'a', at('3')), 'caught up');
    expect(memory.isKnown(changeNames(updated, 'a', at('3')))).toBe(true);
    expect(memory.isKnown(changeNames(updated, 'a', at('4')))).toBe(false);
  });

  test('is told apart by what brought it: only what catching up brought is skipped when it is delivered', () => {
    const memory = memoryOf();
    memory.remember(changeNames(created, 'a', at('1')), 'delivered');
    memory.remember(changeNames(created, 'b', at('1')), 'caught up');
    expect(memory.isCaughtUp(changeNames(updated, 'a', at('1')))).toBe(false);
    expect(memory.isCaughtUp(changeNames(created, 'b', at('1')))).toBe(true);
    expect(memory.isCaughtUp(changeNames(updated, 'b', at('1')))).toBe(true);
  });

  test('of other records with the same id is something else', () => {
    const memory = memoryOf();
    memory.remember(changeNames(created, 'a', at('1')), 'delivered');
    expect(memory.isKnown(changeNames(event('lead.created'), 'a', at('1')))).toBe(false);
  });

  test('survives a restart in the static data, which stays small', () => {
    const staticData: Record<string, unknown> = {};
    const before = memoryOf(staticData);
    for (let id = 0; id < 2000; id++) before.remember(changeNames(updated, `${id}`, at('1')), 'delivered');
    const after = memoryOf(JSON.parse(JSON.stringify(staticData)));
    expect(after.isKnown(changeNames(updated, '1999', at('1')))).toBe(true);
    expect(JSON.stringify(staticData).length).toBeLessThan(20_000);
  });

  test('is brought again when the workflow could not be started with it', () => {
    const staticData: Record<string, unknown> = {};
    const memory = memoryOf(staticData);
    memory.remember(changeNames(updated, 'a', at('1')), 'delivered');
    for (const id of ['a', 'b']) memory.remember(changeNames(created, id, at('1')), 'caught up');
    memory.forget(changeNames(created, 'a', at('1')));
    for (const known of [memory, memoryOf(staticData)]) {
      expect(known.isKnown(changeNames(created, 'a', at('1')))).toBe(false);
      expect(known.isKnown(changeNames(updated, 'a', at('1')))).toBe(true);
      expect(known.isKnown(changeNames(created, 'b', at('1')))).toBe(true);
    }
  });

  test('is known to the whole process at once, before n8n has stored the static data', () => {
    const [one, other] = [new ChangeMemory({}, 'shared'), new ChangeMemory({}, 'shared')];
    one.remember(changeNames(created, 'a', at('1')), 'caught up');
    expect(other.isCaughtUp(changeNames(created, 'a', at('1')))).toBe(true);
  });
});
