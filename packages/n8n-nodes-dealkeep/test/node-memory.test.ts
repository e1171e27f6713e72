import { describe, expect, test } from 'vitest';
import { isRecord } from '../nodes/shared/record.ts';
import { startOf } from '../nodes/shared/trigger/feed.ts';
import { readSlot, writeSlot } from '../nodes/shared/trigger/hook-slot.ts';
import { type MemoryContext, NodeMemory } from '../nodes/shared/trigger/node-memory.ts';
import { readState, writeState } from '../nodes/shared/trigger/poll-state.ts';

/**
 * A workflow's memory, as n8n keeps it: for all nodes, and for each by its name. What is not told to it is not
 * stored.
 */
function workflow(stored: Record<string, Record<string, unknown>> = {}) {
  const at = (place: string) => (stored[place] ??= {});
  const node = (id: string, name: string): MemoryContext => {
    const context: unknown = {
      getNode: () => ({ id, name }),
      getWorkflowStaticData: (type: string) => at(type === 'node' ? `node:${name}` : 'global'),
    };
    return Object(context);
  };
  return { node, stored };
}

const slot = {
  id: 'hook',
  url: 'https://n8n.example/webhook/1',
  secret: 'whsec_1',
  events: ['lead.won'],
  since: '2026-10-01T13:05:09.000Z',
  owner: 'instance/workflow',
};
const position = (at: string) => ({ ...startOf(at, { events: ['lead.won'] }), cursor: `after ${at}` });
const [early, late] = ['2026-10-01T13:05:09.000Z', '2026-10-02T13:05:09.000Z'];

describe('a trigger that is renamed (rule n8n 30)', () => {
  test('remembers its subscription, what it has received and what it has missed', () => {
    const { node } = workflow();
    const before = new NodeMemory(node('1', 'Dealkeep Trigger'));
    writeSlot(before, 'production', slot);
    before.set('seen', ['evt_1']);
    const after = new NodeMemory(node('1', 'Leads'));
    expect(readSlot(after, 'production')).toEqual(slot);
    expect(after.get('seen')).toEqual(['evt_1']);
    after.delete('seen');
    expect(before.get('seen')).toBeUndefined();
  });

  test('takes over what an earlier version kept by its name, once, and leaves nothing there', () => {
    const { node, stored } = workflow({ 'node:Dealkeep Trigger': { production: slot, seen: ['evt_1'] } });
    const memory = new NodeMemory(node('1', 'Dealkeep Trigger'));
    expect(readSlot(memory, 'production')).toEqual(slot);
    memory.set('lastReceived', late);
    expect(stored['node:Dealkeep Trigger']).toEqual({ nodeId: '1' });
    expect(Object.values(stored['global'] ?? {})).toEqual([
      { production: slot, seen: ['evt_1'], lastReceived: late, nodeName: 'Dealkeep Trigger' },
    ]);
    expect(readSlot(new NodeMemory(node('1', 'Leads')), 'production')).toEqual(slot);
  });

  test('is another one than a node that takes its former name', () => {
    const { node } = workflow();
    writeSlot(new NodeMemory(node('1', 'Dealkeep Trigger')), 'production', slot);
    expect(readSlot(new NodeMemory(node('1', 'Leads')), 'production')).toEqual(slot);
    expect(readSlot(new NodeMemory(node('2', 'Dealkeep Trigger')), 'production')).toBeUndefined();
  });

  test('is replaced by one of its name, pasted or imported with another id, which goes on with what it remembered', () => {
    const { node } = workflow();
    writeSlot(new NodeMemory(node('1', 'Dealkeep Trigger')), 'production', slot);
    const replaced = new NodeMemory(node('2', 'Dealkeep Trigger'));
    expect(readSlot(replaced, 'production')).toEqual(slot);
    replaced.set('seen', ['evt_1']);
    expect(readSlot(new NodeMemory(node('3', 'Dealkeep Trigger')), 'production')).toEqual(slot);
    expect(new NodeMemory(node('3', 'Dealkeep Trigger')).get('seen')).toEqual(['evt_1']);
  });

  test('tells n8n of each change by a new value, as n8n sees only those at the top', () => {
    const { node, stored } = workflow();
    const memory = new NodeMemory(node('1', 'Dealkeep Trigger'));
    memory.set('seen', ['evt_1']);
    const [first] = Object.values(stored['global'] ?? {});
    memory.set('seen', ['evt_1', 'evt_2']);
    expect(Object.values(stored['global'] ?? {})[0]).not.toBe(first);
    expect(isRecord(first) && first['seen']).toEqual(['evt_1']);
  });
});

describe('a poll trigger that is renamed (rules n8n 21 and 30)', () => {
  test('goes on where it was, and also when it gets its former name back', () => {
    const { node } = workflow();
    writeState(node('1', 'Poll'), position(early), '[]');
    expect(readState(node('1', 'Leads'))).toMatchObject({ position: position(early), filters: '[]' });
    writeState(node('1', 'Leads'), position(late), '[]');
    expect(readState(node('1', 'Poll')).position).toEqual(position(late));
  });

  test('goes on where an earlier version was, which knew its name only', () => {
    const { node } = workflow({ 'node:Poll': { position: position(early), filters: '[]' } });
    expect(readState(node('1', 'Poll')).position).toEqual(position(early));
  });

  test('does not go on where another node was that had its new name', () => {
    const { node } = workflow();
    writeState(node('1', 'Poll'), position(early), '[]');
    writeState(node('2', 'Other'), position(late), '[]');
    expect(readState(node('1', 'Other')).position).toEqual(position(early));
    expect(readState(node('2', 'Poll')).position).toEqual(position(late));
  });

  test('goes on by what n8n stored with the last execution, where that is further', () => {
    const { node, stored } = workflow();
    writeState(node('1', 'Poll'), position(early), '[]');
    stored['node:Poll'] = { ...stored['node:Poll'], position: position(late) };
    expect(readState(node('1', 'Poll')).position).toEqual(position(late));
  });
});
