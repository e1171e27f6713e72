import { expect, test } from 'vitest';
import { noteActivity } from '../../src/delivering/deliveries/upkeep/worker-upkeep.ts';
import { pauseQueue, resumeQueue } from '../../src/installation/installation/pause-queue.ts';
import { afterAWeekend } from './after-a-weekend.ts';

test('time in which several pauses hold, or in which no worker worked besides, is left out once (rules deliveries 16 and operator 34)', async () => {
  const { sql, hoursOf, hookId, organization } = await afterAWeekend();
  const [webhook, all] = [{ webhook: hookId }, { organization: organization.slug }];
  await pauseQueue(sql, webhook);
  await pauseQueue(sql, all);
  await sql`
    update queue_pauses
    set paused_at = clock_timestamp() - case when webhook_id is null then interval '50 hours' else interval '60 hours' end`;
  await sql`update worker_activity set seen_at = clock_timestamp()`;
  await resumeQueue(sql, webhook);
  expect(await hoursOf(), 'the 10 hours before the other pause').toEqual({ failing: 80, inactive: 0 });
  // No worker works for the last 20 of the 50 hours that the other pause has lasted.
  await sql`update worker_activity set seen_at = clock_timestamp() - interval '20 hours'`;
  await resumeQueue(sql, all);
  expect(await hoursOf()).toEqual({ failing: 50, inactive: 20 });
  await noteActivity(sql);
  expect(await hoursOf()).toEqual({ failing: 30, inactive: 0 });
});

test('a worker that begins to work while a webhook is paused leaves the pause to its end', async () => {
  const { sql, hoursOf, hookId } = await afterAWeekend();
  await pauseQueue(sql, { webhook: hookId });
  await sql`update queue_pauses set paused_at = clock_timestamp() - interval '70 hours'`;
  await noteActivity(sql);
  expect(await hoursOf(), 'the 10 hours before the pause').toEqual({ failing: 80, inactive: 0 });
  await resumeQueue(sql, { webhook: hookId });
  expect(await hoursOf()).toEqual({ failing: 10, inactive: 0 });
});
