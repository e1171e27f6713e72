import type { EveryOperationId } from '@dealkeep/contract';
import type { RecordKind } from '../record-kind.ts';

/** How records of a kind go on. */
interface Life {
  /**
   * The states that a record goes through, in their order; where there are several at one place, the usual one
   * first.
   */
  readonly states?: readonly (readonly [string, ...string[]])[];
  /** The steps that bring a record forward, the sensible one first. */
  readonly next: readonly EveryOperationId[];
}

const still: Life = { next: [] };

export const lives: Readonly<Record<RecordKind['resource'], Life>> = {
  company: still,
  contact: still,
  client: still,
  product: still,
  // Its stages are those of its pipeline.
  lead: still,
  activity: { next: ['activities.complete'] },
  task: { next: ['tasks.complete'] },
  invoice: { states: [['draft'], ['issued', 'overdue'], ['paid']], next: ['invoices.pay'] },
  quote: {
    states: [['draft'], ['sent'], ['accepted', 'rejected']],
    next: ['quotes.send', 'quotes.accept'],
  },
  booking: {
    states: [['pending'], ['confirmed'], ['completed', 'no_show']],
    next: ['bookings.confirm', 'bookings.complete'],
  },
  order: {
    states: [
      ['new'],
      ['confirmed'],
      ['picking'],
      ['packed'],
      ['shipped', 'ready_for_pickup'],
      ['delivered', 'returned'],
    ],
    next: [
      'orders.confirmed',
      'orders.picking',
      'orders.packed',
      'orders.shipped',
      'orders.delivered',
      'orders.payment-paid',
    ],
  },
};
