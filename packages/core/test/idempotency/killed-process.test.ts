import { newSecretsKey, parseSecretsKey } from '@dealkeep/core';
import { WatchedLine } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import { type RunningProgram, startProgram } from '../deliveries/running-program.ts';
import {
  eachOnce,
  expectEveryStep,
  isCommit,
  isCommitted,
  isOfTheWork,
  nothing,
  openCounted,
} from './created-once.ts';

const once = { leads: 1, events: 1, deliveries: 1, answers: 1 };

test('an API process killed between any two statements has done all or nothing, and the same key gets the one record', async () => {
  const secretsKey = newSecretsKey();
  const { dealkeep, sql, api, create, made, ended } = await openCounted({
    secrets: parseSecretsKey(secretsKey),
  });
  const line = await WatchedLine.open(dealkeep.databaseUrl);
  const start = async (): Promise<RunningProgram> => {
    // What a process has leased of the rate limit dies with it, and many die here.
    await sql`delete from rate_windows`;
    const program = await startProgram({ databaseUrl: line.url, secretsKey, roles: 'api' });
    onTestFinished(async () => void (await program.end('SIGKILL')));
    return program;
  };

  const { instants, wanted } = eachOnce(
    (instant) => isOfTheWork(instant) && (instant.state === 'asked' || isCommit(instant)),
  );
  let program = await start();
  for (let number = 1; ; number += 1) {
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

    program = await start();
    const again = await create(program.baseUrl, { name });
    expect([statement, again?.status, again?.replayed]).toEqual([statement, 201, committed]);
    expect([statement, await made(name)]).toEqual([statement, once]);
    // A link has the origin of the process that made it, which has a port of its own here.
    const { app_url: _, ...record } = JSON.parse(again?.text ?? '').data;
    expect((await api.get(`/leads/${record.id}`)).data).toMatchObject(record);
  }
  expectEveryStep(instants);
}, 120_000);
