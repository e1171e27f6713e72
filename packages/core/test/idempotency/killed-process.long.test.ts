import { newSecretsKey, parseSecretsKey } from '@dealkeep/core/foundations';
import { expect, test } from 'vitest';
import {
  eachOnce,
  expectEveryStep,
  isCommit,
  isCommitted,
  isOfTheWork,
  nothing,
  openCounted,
} from './created-once.ts';
import { killedPrograms } from './killed-program.ts';

const once = { leads: 1, events: 1, deliveries: 1, answers: 1 };

test('an API process killed between any two statements has done all or nothing, and the same key gets the one record', async () => {
  const secretsKey = newSecretsKey();
  const { dealkeep, sql, api, create, made, ended } = await openCounted({
    secrets: parseSecretsKey(secretsKey),
  });
  const { line, start } = await killedPrograms(dealkeep.databaseUrl, secretsKey, sql);

  const { instants, wanted } = eachOnce(
    (instant) => isOfTheWork(instant) && (instant.state === 'asked' || isCommit(instant)),
  );
  for (let number = 1; ; number += 1) {
    const program = await start();
    const name = `Killed at ${number}`;
    const reached = line.stopAt(wanted);
    const answer = create(program.baseUrl, { name });
    const stop = await Promise.race([reached, answer.then(() => undefined)]);
    if (!stop) {
      expect((await answer)?.status).toBe(201);
      break;
    }
    const { statement } = stop;
    const committed = isCommitted(stop);
    await program.end('SIGKILL');
    expect(await answer).toBeUndefined();
    await ended(stop);
    expect([statement, await made(name)]).toEqual([statement, committed ? once : nothing]);

    const again = await create(dealkeep.baseUrl, { name });
    expect([statement, again?.status, again?.replayed]).toEqual([statement, 201, committed]);
    expect([statement, await made(name)]).toEqual([statement, once]);
    // A link has the origin of the process that made it, which has a port of its own here.
    const { app_url: _, ...record } = JSON.parse(again?.text ?? '').data;
    expect((await api.get(`/leads/${record.id}`)).data).toMatchObject(record);
  }
  expectEveryStep(dealkeep, instants);
});
