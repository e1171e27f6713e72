import { describe, expect, test } from 'vitest';
import { isRepeated } from '../nodes/shared/trigger/seen-deliveries.ts';

const start = Date.parse('2026-10-01T13:05:09Z');

describe('a delivery that comes again (rules connectors 8 and n8n 17)', () => {
  test('is known by the memory of the node, long after', () => {
    const memory = new Map();
    expect(isRepeated(memory, 'known', 'evt_1', start)).toBe(false);
    expect(isRepeated(memory, 'known', 'evt_1', start + 3 * 24 * 3600_000)).toBe(true);
    expect(isRepeated(memory, 'known', 'evt_2', start)).toBe(false);
  });

  test('is known at the same moment, when neither has been written yet', () => {
    expect(isRepeated(new Map(), 'together', 'evt_1', start)).toBe(false);
    expect(isRepeated(new Map(), 'together', 'evt_1', start + 10)).toBe(true);
  });

  test('is taken again when the first could not be written: the API repeats it after five seconds', () => {
    expect(isRepeated(new Map(), 'lost', 'evt_1', start)).toBe(false);
    expect(isRepeated(new Map(), 'lost', 'evt_1', start + 5000)).toBe(false);
  });

  test('is known although a delivery that was handled at once has written an older memory over it', () => {
    const first = new Map<string, unknown>();
    const second = new Map<string, unknown>();
    expect(isRepeated(first, 'beside', 'evt_1', start)).toBe(false);
    expect(isRepeated(second, 'beside', 'evt_2', start + 4000)).toBe(false);
    // What n8n keeps is what the last one has written.
    expect(second.get('seen')).toEqual(['evt_1', 'evt_2']);
    expect(isRepeated(second, 'beside', 'evt_1', start + 3600_000)).toBe(true);
  });

  test('leaves the memory with all that came at once, also where it is itself repeated', () => {
    const caughtUp = new Map<string, unknown>();
    for (const id of ['evt_1', 'evt_2', 'evt_3']) isRepeated(caughtUp, 'caught up', id, start);
    const late = new Map<string, unknown>();
    expect(isRepeated(late, 'caught up', 'evt_2', start + 100)).toBe(true);
    expect(late.get('seen')).toEqual(['evt_1', 'evt_2', 'evt_3']);
  });

  test('is another delivery for another node', () => {
    expect(isRepeated(new Map(), 'first', 'evt_1', start)).toBe(false);
    expect(isRepeated(new Map(), 'second', 'evt_1', start)).toBe(false);
  });

  test('is forgotten after two thousand others, so that the memory stays small', () => {
    const memory = new Map<string, unknown>();
    for (let index = 0; index < 2100; index++) isRepeated(memory, 'many', `evt_${index}`, start);
    expect(memory.get('seen')).toHaveLength(2000);
    expect(isRepeated(memory, 'many', 'evt_2099', start + 10_000)).toBe(true);
    expect(isRepeated(memory, 'many', 'evt_0', start + 10_000)).toBe(false);
  });
});
