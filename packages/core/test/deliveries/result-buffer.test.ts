import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { eventually, startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import type { JudgedAttempt } from '../../src/delivering/deliveries/judge.ts';
import { ResultBuffer } from '../../src/delivering/deliveries/write/result-buffer.ts';
import { settleDeliveries } from '../../src/delivering/deliveries/write/settle-deliveries.ts';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** Of a webhook that is no more, so that there is nothing to change. */
const attempt = (): JudgedAttempt => ({
  id: randomUUID(),
  delivery: {
    id: randomUUID(),
    place: '(0,1)',
    organization_id: randomUUID(),
    webhook_id: randomUUID(),
    event_id: 'evt_1',
    attempts: 0,
    number: 1,
    by_hand: false,
    retry_at: null,
    created_at: '2026-10-01T08:00:00.000Z',
    target_url: 'https://receiver.example/',
    secret: Buffer.alloc(0),
    previous_secret: null,
    signing_key: null,
    previous_signing_key: null,
    headers: null,
    in_order: false,
    webhook_status: 'active',
  },
  eventType: 'lead.created',
  startedAt: new Date(),
  endedAt: new Date(),
  outcome: { outcome: 'answered', status: 200, headers: {}, responseStart: '', durationMs: 1 },
  fate: 'delivered',
  dueAt: null,
});

test('results that a lock keeps waiting are bounded: beyond 5000 nothing more may be sent, until they are written', async () => {
  const { sql } = await startDealkeep({ worker: false });
  let recorded = 0;
  const results = new ResultBuffer({
    log: quiet,
    gatheredForMs: 100,
    write: async (batch) => {
      const { written, unwritten } = await settleDeliveries(sql, 1, batch);
      recorded += written.length;
      return unwritten;
    },
  });
  await sql.begin(async (tx) => {
    await tx`lock table webhooks in access exclusive mode`;
    for (let added = 1; added < 5000; added += 1) results.add([attempt()]);
    expect(results.keepsUp).toBe(true);
    results.add([attempt()]);
    expect(results.keepsUp).toBe(false);
  });
  await eventually(() => expect(results.keepsUp).toBe(true));
  await results.finish();
  expect(recorded).toBe(5000);
});

test('results that end shortly after each other are written together, and a held event keeps its follower not waiting', async () => {
  const { sql } = await startDealkeep({ worker: false });
  const batches: number[] = [];
  const results = new ResultBuffer({
    log: quiet,
    gatheredForMs: 100,
    write: async (batch) => {
      const { written, unwritten } = await settleDeliveries(sql, 1, batch);
      batches.push(written.length);
      return unwritten;
    },
  });
  const inTurns = async (inOrder: boolean) => {
    for (let added = 1; added <= 3; added += 1) {
      const made = attempt();
      results.add([{ ...made, delivery: { ...made.delivery, in_order: inOrder } }]);
      await nextTurn();
    }
  };
  await inTurns(false);
  await eventually(() => expect(batches).toEqual([3]));
  await inTurns(true);
  await eventually(() => expect(batches.slice(0, 2)).toEqual([3, 1]));
  await results.finish();
});
