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
