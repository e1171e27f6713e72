import { expect, test } from 'vitest';
import { Disturbed } from './disturbed.ts';
import { startInstallation } from './installation.ts';

test('three processes and two workers lose nothing, whatever is killed or restarted (rules operator 8 and 21)', async () => {
  const installation = await startInstallation();
  const { api, workers, pooler, postgres } = installation;
  const [firstApi, secondApi] = api;
  const [firstWorker, secondWorker] = workers;
  const disturbed = await Disturbed.start(installation);

  await disturbed.by('API killed', 'who is in flight', () => firstApi.end('SIGKILL'));
  await firstApi.start();
  await disturbed.by('worker killed', 'nobody', () => firstWorker.end('SIGKILL'));
  await firstWorker.start();
  await disturbed.by('API told to stop', 'nobody', async () =>
    expect(await secondApi.end('SIGTERM')).toBe(0),
  );
  await secondApi.start();
  await disturbed.by('worker told to stop', 'nobody', async () =>
    expect(await secondWorker.end('SIGTERM')).toBe(0),
  );
  await secondWorker.start();
  await disturbed.by('all replaced, one after the other', 'nobody', async () => {
    for (const each of [...api, ...workers]) expect(await each.restart()).toBe(0);
  });
  await disturbed.by('PgBouncer restarted', 'who is in flight', () => pooler.restart());
  await disturbed.by('PostgreSQL restarted', 'who is in flight', () => postgres.restart());
  await disturbed.by('PostgreSQL restarted while PgBouncer pauses', 'nobody', async () => {
    await pooler.tell('PAUSE');
    await postgres.restart();
    await pooler.tell('RESUME');
  });

  await disturbed.judge((line) => console.info(line));
});
