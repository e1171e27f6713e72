import { createApi, serve } from '@dealkeep/api';
import { createCore } from '@dealkeep/core';
import { updateOrganization } from '@dealkeep/core/accounts';
import { connect } from '@dealkeep/core/foundations';
import { ApiClient, ManualClock, startDealkeep, type TestOrganization } from '@dealkeep/testing';
import { expect, onTestFinished } from 'vitest';

/** For so long a process remembers what the operator has set, and a little. */
export const aSecond = 1001;

interface Limits {
  readonly credential?: number;
  readonly organization?: number;
}

/** Dealkeep with a clock that stands still within a minute, and organizations whose limits are as they are told. */
export async function startLimited() {
  const clock = new ManualClock('2026-10-01T12:00:00.000Z');
  const dealkeep = await startDealkeep({ worker: false, clock });
  const setLimits = ({ slug }: TestOrganization, limits: Limits) =>
    updateOrganization(dealkeep.sql, slug, {
      requestsPerMinute: limits.credential,
      orgRequestsPerMinute: limits.organization,
    });
  return {
    dealkeep,
    clock,
    setLimits,
    nextMinute: () => clock.advance(60_000 - (clock.now().getTime() % 60_000)),
    async organization(limits: Limits = {}): Promise<TestOrganization> {
      const made = await dealkeep.createOrganization({ usualRateLimits: true });
      await setLimits(made, limits);
      return made;
    },
    /** Another API process on the same database. */
    async anotherProcess() {
      const sql = connect(dealkeep.databaseUrl, { connections: 5, name: 'test process' });
      const core = createCore({ ...dealkeep.core, sql, clock });
      const server = await serve(createApi({ core }), { port: 0, host: '127.0.0.1' });
      onTestFinished(async () => {
        await server.stop(1000);
        await sql.end({ timeout: 5 });
      });
      return (key: string) =>
        new ApiClient(`http://127.0.0.1:${server.port}/api/v1/public`, { Authorization: `Bearer ${key}` });
    },
  };
}

/** Limit, remaining requests and seconds until the window ends, as the headers say them. */
export const rates = ({ headers }: { headers: Headers }): number[] =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

/** Asks until it is refused; how many passed. */
export async function drain(api: ApiClient): Promise<number> {
  for (let passed = 0; ; passed += 1) {
    const { status, outcome } = await api.get('/me');
    if (status !== 200) {
      expect(outcome).toBe('429 RATE_LIMITED');
      return passed;
    }
  }
}

/** All asked at once; how many passed. The others are told of the limit. */
export async function passedAtOnce(apis: readonly ApiClient[], each: number): Promise<number> {
  const answers = await Promise.all(
    apis.flatMap((api) => Array.from({ length: each }, () => api.get('/me'))),
  );
  expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
  return answers.filter(({ status }) => status === 200).length;
}
