import { randomUUID } from 'node:crypto';
import type { Problem } from '@dealkeep/core/foundations';
import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { openSalon, recordText, type Salon } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();

/** Every step that a booking can take; a refusal is its error code. */
const steps = {
  confirm: ({ name }: Salon, id: string) => inConsole(dealkeep.core, name, 'bookings.confirm', { id }),
  complete: ({ name }: Salon, id: string) => inConsole(dealkeep.core, name, 'bookings.complete', { id }),
  'no-show': ({ name }: Salon, id: string) => inConsole(dealkeep.core, name, 'bookings.no-show', { id }),
  cancel: async ({ api }: Salon, id: string) => {
    const answer = await api.post(`/bookings/${id}/cancel`);
    return answer.status === 200 ? answer.data : Promise.reject(answer.error);
  },
};
type Step = keyof typeof steps;

/** A booking that has gone a way. */
async function bookingAfter(
  salon: Salon,
  path: readonly Step[],
  starts = '2026-10-06T09:00:00Z',
): Promise<string> {
  const { id } = (await salon.book(starts, { staff_id: salon.staff })).data;
  for (const step of path) await steps[step](salon, id);
  return id;
}
const outcomeOf = (work: Promise<{ status: string }>) =>
  work.then(
    ({ status }) => status,
    ({ code }: Problem) => code,
  );

describe('from each state, each step', () => {
  test.each([
    [[], { confirm: 'confirmed', complete: 'completed', 'no-show': 'no_show', cancel: 'cancelled' }],
    [['confirm'], { confirm: 'CONFLICT', complete: 'completed', 'no-show': 'no_show', cancel: 'cancelled' }],
    ...(['complete', 'no-show', 'cancel'] as const).map(
      (end) =>
        [[end], { confirm: 'CONFLICT', complete: 'CONFLICT', 'no-show': 'CONFLICT', cancel: 'CONFLICT' }] as [
          Step[],
          Record<Step, string>,
        ],
    ),
  ] satisfies [Step[], Record<Step, string>][])(
    '%j (rules bookings 6, 7, 8 and 9)',
    async (path, outcomes) => {
      const salon = await openSalon(dealkeep);
      for (const [hour, step] of (Object.keys(steps) as Step[]).entries()) {
        const id = await bookingAfter(salon, path, `2026-10-06T0${hour}:00:00Z`);
        const before = await salon.api.get(`/bookings/${id}`);
        const events = await salon.eventsDuring(async () => {
          expect([step, await outcomeOf(steps[step](salon, id))]).toEqual([step, outcomes[step]]);
        });
        if (outcomes[step] !== 'CONFLICT') continue;
        expect(events).toEqual([]);
        expect((await salon.api.get(`/bookings/${id}`)).text).toBe(before.text);
      }
    },
  );
});

describe('each step says what happened, with the record that GET answers', () => {
  test.each([
    ['confirm', 'booking.confirmed', { status: 'confirmed', confirmed_at: expect.any(String) }],
    ['complete', 'booking.completed', { status: 'completed', completed_at: expect.any(String) }],
    ['no-show', 'booking.no_show', { status: 'no_show' }],
    ['cancel', 'booking.cancelled', { status: 'cancelled', cancelled_at: expect.any(String) }],
  ] as const)('%s: %s (rule bookings 8)', async (step, type, changes) => {
    const salon = await openSalon(dealkeep);
    const id = await bookingAfter(salon, []);
    const before = (await salon.api.get(`/bookings/${id}`)).data;
    const events = await salon.eventsDuring(() => steps[step](salon, id));
    const after = await salon.api.get(`/bookings/${id}`);
    expect(after.data).toEqual({ ...before, ...changes });
    expect(events.map((event) => event.type)).toEqual([type]);
    expect(events[0]?.dataText).toBe(recordText(after.text));
    expect(events[0]?.changed_fields).toBeUndefined();
  });
});

describe('cancel', () => {
  test('keeps the reason; without a body, with {} and with null there is none (rule bookings 7)', async () => {
    const { api, book } = await openSalon(dealkeep);
    for (const [body, reason] of [
      [{ reason: 'The customer is ill.' }, 'The customer is ill.'],
      [undefined, null],
      [{}, null],
      [{ reason: null }, null],
    ] as const) {
      const { id } = (await book('2026-10-06T09:00:00Z')).data;
      const cancelled = await api.post(`/bookings/${id}/cancel`, body);
      expect(cancelled.status).toBe(200);
      expect(cancelled.data.cancellation_reason).toBe(reason);
    }
  });

  test('names the state that forbids it', async () => {
    const { api, book } = await openSalon(dealkeep);
    const { id } = (await book('2026-10-06T09:00:00Z')).data;
    await api.post(`/bookings/${id}/cancel`);
    const again = await api.post(`/bookings/${id}/cancel`);
    expect(again.outcome).toBe('409 CONFLICT');
    expect(again.error.message).toContain('cancelled');
  });

  test('refuses a long reason and unknown fields', async () => {
    const { api, book } = await openSalon(dealkeep);
    const { id } = (await book('2026-10-06T09:00:00Z')).data;
    const refused = await api.post(`/bookings/${id}/cancel`, { reason: 'x'.repeat(1001), note: 'x' });
    expect(refused.fields).toEqual({ reason: 'too_long', note: 'unknown' });
  });

  test.each(['cancel', 'no-show'] as const)('%s frees the time (rule bookings 9)', async (step) => {
    const salon = await openSalon(dealkeep);
    await bookingAfter(salon, [step]);
    const again = await salon.book('2026-10-06T09:00:00Z', { staff_id: salon.staff });
    expect(again.status).toBe(201);
  });

  test.each(['confirm', 'complete'] as const)('%s does not', async (step) => {
    const salon = await openSalon(dealkeep);
    await bookingAfter(salon, [step]);
    const again = await salon.book('2026-10-06T09:00:00Z', { staff_id: salon.staff });
    expect(again.outcome).toBe('409 CONFLICT');
  });
});

test('of steps that are taken at once one that ends the booking wins', async () => {
  const salon = await openSalon(dealkeep);
  const id = await bookingAfter(salon, ['confirm']);
  const events = await salon.eventsDuring(async () => {
    const outcomes = await Promise.all(
      (['cancel', 'complete', 'no-show', 'cancel', 'complete'] as const).map((step) =>
        outcomeOf(steps[step](salon, id)),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== 'CONFLICT')).toHaveLength(1);
  });
  expect(events).toHaveLength(1);
});

test('what does not exist is 404', async () => {
  const salon = await openSalon(dealkeep);
  for (const step of Object.keys(steps) as Step[]) {
    expect(await outcomeOf(steps[step](salon, randomUUID()))).toBe('NOT_FOUND');
  }
  expect((await salon.api.get('/bookings/x')).outcome).toBe('404 NOT_FOUND');
  expect((await salon.api.post('/bookings/x/cancel')).outcome).toBe('404 NOT_FOUND');
});
