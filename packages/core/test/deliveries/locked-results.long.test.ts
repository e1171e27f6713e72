import { eventually, startDealkeep, startHookReceiver } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { subscribe } from './subscriber.ts';

for (const [what, status] of [
  ['delivered', 200],
  ['put off', 500],
] as const) {
  test(`a delivery that somebody has locked when its result comes is ${what} all the same, once the lock is gone`, async () => {
    const dealkeep = await startDealkeep();
    const receiver = await startHookReceiver();
    const { createLead, pending } = await subscribe(dealkeep, receiver.url);
    let answer = (_status: number): void => {};
    receiver.answerWith(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    await createLead();
    await receiver.received(1);
    await dealkeep.sql.begin(async (tx) => {
      await tx`select from deliveries for update`;
      answer(status);
      // The result has been tried, and has passed the lock by.
      await eventually(async () =>
        expect(
          await dealkeep.sql`select from webhooks where coalesce(last_success_at, failing_since) is not null`,
        ).toHaveLength(1),
      );
    });
    await eventually(async () => {
      const rows = await pending();
      if (status === 200) expect(rows).toEqual([]);
      else expect(rows).toMatchObject([{ attempts: 1, worker_id: null }]);
    });
    expect(receiver.requests).toHaveLength(1);
    // A result that wrote nothing at first once ended the log of its worker for good.
    await eventually(async () =>
      expect(await dealkeep.sql`select status from attempts`).toEqual([{ status }]),
    );
  });
}

test('a delivery that somebody changes again and again is put off all the same: none stays leased', async () => {
  const dealkeep = await startDealkeep();
  const receiver = await startHookReceiver();
  const { createLead, pending } = await subscribe(dealkeep, receiver.url);
  receiver.answerWith(() => 500);
  let changing = true;
  // Each commits by itself, often between the moment of which a result's statement sees the rows and its lock of
  // one.
  const changes = (async () => {
    while (changing) await dealkeep.sql`update deliveries set created_at = created_at`;
  })();
  for (let round = 0; round < 15; round += 1) await Promise.all(Array.from({ length: 10 }, createLead));
  await receiver.received(150);
  changing = false;
  await changes;
  await eventually(async () => {
    const rows = await pending();
    expect(rows.filter(({ worker_id, attempts }) => worker_id !== null || attempts < 1)).toEqual([]);
  });
});
