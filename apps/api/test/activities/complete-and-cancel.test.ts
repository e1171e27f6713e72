import { inConsole, sharedDealkeep } from '@dealkeep/testing';
import { recordText } from '@dealkeep/testing/business';
import { describe, expect, test } from 'vitest';
import { nobody, openActivity, openCalendar } from './an-activity.ts';

const dealkeep = await sharedDealkeep();
const calendar = await openCalendar(dealkeep);

/** An activity, and how the console cancels it. */
async function cancelable() {
  const open = await openActivity(calendar);
  const cancel = () => inConsole(dealkeep.core, open.place, 'activities.cancel', { id: open.activity.id });
  return { ...open, cancel };
}

describe('complete', () => {
  test('closes an open one and says so (rules activities 5 and 6)', async () => {
    const { activity, complete, read, eventsDuring } = await cancelable();
    const events = await eventsDuring(async () => {
      const { status, data } = await complete();
      expect(status).toBe(200);
      expect(data).toEqual({
        ...activity,
        status: 'closed',
        completed_at: expect.stringMatching(/\.\d{3}Z$/),
        updated_at: data.completed_at,
      });
    });
    expect(events.map(({ type }) => type)).toEqual(['activity.completed']);
    expect(events[0]?.dataText).toBe(recordText((await read()).text));
    expect(events[0]).not.toHaveProperty('changed_fields');
  });

  test('leaves a closed one as it is (rule activities 6)', async () => {
    const { complete, eventsDuring } = await cancelable();
    const first = await complete();
    const events = await eventsDuring(async () => {
      const again = await complete();
      expect(again.status).toBe(200);
      expect(again.text).toBe(first.text);
    });
    expect(events).toEqual([]);
  });

  test('takes no body or an empty object, and refuses any other', async () => {
    const { activity, api, read } = await cancelable();
    const path = `/activities/${activity.id}/complete` as const;
    const send = (body: string, type = 'application/json') =>
      api.send('POST', path, { body, headers: { 'Content-Type': type } });
    expect((await send('{"note":"x"}')).fields).toEqual({ note: 'unknown' });
    for (const body of ['{', '[]', 'null', 'x=1'])
      expect([body, (await send(body)).outcome]).toEqual([body, '400 BAD_REQUEST']);
    expect((await send('{}', 'text/plain')).outcome).toBe('400 BAD_REQUEST');
    expect((await read()).data).toEqual(activity);
    expect((await api.post(path, {})).data.status).toBe('closed');
  });

  test('of a canceled one is a conflict (rule activities 6)', async () => {
    const { complete, cancel, read, eventsDuring } = await cancelable();
    await cancel();
    const events = await eventsDuring(async () => {
      const refused = await complete();
      expect(refused.outcome).toBe('409 CONFLICT');
      expect(refused.error.message).toBe('The activity was canceled and cannot be completed.');
    });
    expect(events).toEqual([]);
    expect((await read()).data).toMatchObject({ status: 'canceled', completed_at: null });
  });

  test('eight times at once happens once', async () => {
    const { complete, eventsDuring } = await cancelable();
    const events = await eventsDuring(async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, complete));
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    });
    expect(events).toHaveLength(1);
  });
});

describe('cancel', () => {
  test('cancels an open one and says so (rule activities 8)', async () => {
    const { activity, cancel, read, eventsDuring } = await cancelable();
    const events = await eventsDuring(async () => {
      const canceled = await cancel();
      expect(canceled).toEqual({ ...activity, status: 'canceled', updated_at: canceled.updated_at });
      expect(canceled.updated_at).not.toBe(activity.updated_at);
      expect((await read()).data).toEqual(canceled);
    });
    expect(events.map(({ type }) => type)).toEqual(['activity.cancelled']);
    expect(events[0]?.dataText).toBe(recordText((await read()).text));
  });

  test('leaves a canceled one as it is', async () => {
    const { cancel, eventsDuring } = await cancelable();
    const first = await cancel();
    const events = await eventsDuring(async () => expect(await cancel()).toEqual(first));
    expect(events).toEqual([]);
  });

  test('of a closed one is a conflict (rule activities 8)', async () => {
    const { complete, cancel, read, eventsDuring } = await cancelable();
    const { text } = await complete();
    const events = await eventsDuring(() => expect(cancel()).rejects.toMatchObject({ code: 'CONFLICT' }));
    expect(events).toEqual([]);
    expect((await read()).text).toBe(text);
  });

  test('of what does not exist, or is another organization’s', async () => {
    const { place } = await cancelable();
    const other = await openActivity(await openCalendar(dealkeep));
    for (const id of [nobody, other.activity.id]) {
      await expect(inConsole(dealkeep.core, place, 'activities.cancel', { id })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    }
    expect((await other.read()).data.status).toBe('open');
  });
});

test('completing and canceling at once leaves one of them, and one event', async () => {
  const { complete, cancel, read, eventsDuring } = await cancelable();
  const events = await eventsDuring(() =>
    Promise.allSettled([complete(), cancel(), complete(), cancel(), complete(), cancel()]),
  );
  const { status } = (await read()).data;
  expect(events.map(({ type }) => type)).toEqual([
    status === 'closed' ? 'activity.completed' : 'activity.cancelled',
  ]);
});
