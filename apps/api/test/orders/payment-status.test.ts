import { randomUUID } from 'node:crypto';
import type { Order } from '@dealkeep/contract';
import type { Problem } from '@dealkeep/core/foundations';
import { sharedDealkeep } from '@dealkeep/testing';
import {
  openShop,
  type PaymentStep,
  recordText,
  type Shop,
  setPaymentStatus,
  stepOrder,
} from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

const pay = ({ name }: Shop, uuid: string, payment_status: PaymentStep): Promise<Order> =>
  setPaymentStatus(dealkeep.core, name, { uuid, payment_status });
const outcomeOf = (work: Promise<Order>) =>
  work.then(
    ({ payment_status }) => payment_status,
    ({ code }: Problem) => code,
  );
async function orderAfter(shop: Shop, path: readonly PaymentStep[]): Promise<string> {
  const { uuid } = (await shop.order()).data;
  for (const status of path) await pay(shop, uuid, status);
  return uuid;
}
const steps = ['pending', 'paid', 'refunded', 'failed'] as const;

describe('from each payment status, each step', () => {
  test.each([
    [[], ['pending', 'paid', 'failed']],
    [['pending'], ['paid', 'failed']],
    [['failed'], ['pending', 'paid']],
    [['paid'], ['refunded']],
    [
      ['paid', 'refunded'],
      ['pending', 'paid'],
    ],
  ] satisfies [PaymentStep[], PaymentStep[]][])(
    'after %j: %j (rule orders 17)',
    async (path, allowed: PaymentStep[]) => {
      const shop = await openShop(dealkeep);
      for (const to of steps) {
        const uuid = await orderAfter(shop, path);
        const before = await shop.api.get(`/orders/${uuid}`);
        const events = await shop.eventsDuring(async () => {
          const outcome = allowed.includes(to) ? to : 'CONFLICT';
          expect([to, await outcomeOf(pay(shop, uuid, to))]).toEqual([to, outcome]);
        });
        const after = await shop.api.get(`/orders/${uuid}`);
        if (allowed.includes(to)) {
          expect(events[0]?.type).toBe(`order.payment_${to}`);
          expect(events[0]?.dataText).toBe(recordText(after.text));
        } else {
          expect(events).toEqual([]);
          expect(after.text).toBe(before.text);
        }
      }
    },
  );
});

test('the first payment sets paid_at: order.payment_paid, then order.paid; a later one does not (rule orders 18)', async () => {
  const shop = await openShop(dealkeep);
  const uuid = await orderAfter(shop, ['pending']);
  const first = await shop.eventsDuring(() => pay(shop, uuid, 'paid'));
  expect(first.map(({ type }) => type)).toEqual(['order.payment_paid', 'order.paid']);
  const paid = await shop.api.get(`/orders/${uuid}`);
  expect(paid.data).toMatchObject({ payment_status: 'paid', paid_at: paid.data.updated_at, status: 'new' });
  expect(first.map(({ dataText }) => dataText)).toEqual([recordText(paid.text), recordText(paid.text)]);

  await pay(shop, uuid, 'refunded');
  const second = await shop.eventsDuring(() => pay(shop, uuid, 'paid'));
  expect(second.map(({ type }) => type)).toEqual(['order.payment_paid']);
  expect((await shop.api.get(`/orders/${uuid}`)).data.paid_at).toBe(paid.data.paid_at);
});

test('money comes and goes whatever the order itself is (rule orders 16)', async () => {
  const shop = await openShop(dealkeep);
  const uuid = await orderAfter(shop, ['paid']);
  await stepOrder(dealkeep.core, shop.name, { uuid, status: 'cancelled' });
  expect(await pay(shop, uuid, 'refunded')).toMatchObject({
    status: 'cancelled',
    payment_status: 'refunded',
  });
});

test('of eight payments at once one is noted', async () => {
  const shop = await openShop(dealkeep);
  const uuid = await orderAfter(shop, []);
  const events = await shop.eventsDuring(async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(pay(shop, uuid, 'paid'))));
    expect(outcomes.filter((outcome) => outcome === 'paid')).toHaveLength(1);
  });
  expect(events.map(({ type }) => type)).toEqual(['order.payment_paid', 'order.paid']);
});

test('orders that do not exist, or belong to others, cannot be paid', async () => {
  const [one, other] = await Promise.all([openShop(dealkeep), openShop(dealkeep)]);
  for (const uuid of [randomUUID(), await orderAfter(other, [])]) {
    expect(await outcomeOf(pay(one, uuid, 'paid'))).toBe('NOT_FOUND');
  }
});
