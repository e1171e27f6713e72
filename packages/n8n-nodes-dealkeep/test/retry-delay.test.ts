import { describe, expect, test } from 'vitest';
import { Pace } from '../nodes/shared/transport/pace.ts';
import {
  type Attempted,
  editorPatience,
  retryDelay,
  workflowPatience,
} from '../nodes/shared/transport/retry-delay.ts';

const fresh = { failures: 0, rateLimits: 0, twins: 0 };
const delay = (attempted: Attempted, code?: string, so = fresh, patience = workflowPatience) =>
  retryDelay(attempted, code, so, patience, 0);

describe('a request is repeated (rules connectors 13 and n8n 11)', () => {
  test('after a refusal by the rate limit, when Retry-After has passed (rule connectors 12)', () => {
    expect(delay({ status: 429, retryAfter: '17' })).toBe(17_000);
    expect(
      delay({ status: 429, retryAfter: '60' }, undefined, { failures: 0, rateLimits: 100, twins: 0 }),
    ).toBe(60_000);
  });

  test('when the moment has come that a proxy names instead of seconds', () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    expect(delay({ status: 429, retryAfter: inAMinute })).toBeGreaterThan(55_000);
    expect(delay({ status: 429, retryAfter: inAMinute })).toBeLessThanOrEqual(60_000);
    expect(delay({ status: 429, retryAfter: 'soon' })).toBe(5000);
  });

  test('after a failure of the service or the network, ever later', () => {
    const delays = [0, 1, 2, 3, 4].map((failures) =>
      delay('no answer', undefined, { failures, rateLimits: 0, twins: 0 }),
    );
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000]);
    expect(delay({ status: 500 })).toBe(500);
    expect(delay({ status: 503, retryAfter: '5' })).toBe(5000);
  });

  test('shortly after its twin was still running', () => {
    const twin = { status: 409, retryAfter: '1' };
    expect(delay(twin, 'IDEMPOTENCY_IN_PROGRESS')).toBe(1000);
    // A batch takes a while, and its first attempt may have failed before.
    const longAgo = { failures: 5, rateLimits: 0, twins: 59 };
    expect(delay(twin, 'IDEMPOTENCY_IN_PROGRESS', longAgo)).toBe(1000);
    expect(delay(twin, 'IDEMPOTENCY_IN_PROGRESS', { ...longAgo, twins: 60 })).toBeUndefined();
  });

  test('at slightly different moments by different callers', () => {
    expect(retryDelay('no answer', undefined, fresh, workflowPatience, 1)).toBe(550);
  });
});

describe('a request is not repeated (rules connectors 13 and n8n 11)', () => {
  test('after an answer that a repetition would get again', () => {
    for (const status of [400, 401, 402, 403, 404, 409, 422])
      expect(delay({ status }, 'CONFLICT')).toBeUndefined();
  });

  test('more often than five times', () => {
    expect(delay('no answer', undefined, { failures: 5, rateLimits: 0, twins: 0 })).toBeUndefined();
  });

  test('when a person at the editor would wait for too long', () => {
    expect(delay({ status: 429, retryAfter: '50' }, undefined, fresh, editorPatience)).toBeUndefined();
    expect(delay({ status: 429, retryAfter: '3' }, undefined, fresh, editorPatience)).toBe(3000);
  });
});

describe('the pace (rules connectors 12 and n8n 11)', () => {
  test('is free while much of the window is left', () => {
    const pace = new Pace();
    pace.observe('120', '13', '40');
    expect(pace.delayOf()).toBe(0);
  });

  test("spreads the last tenth over the window's rest", () => {
    const pace = new Pace();
    pace.observe('120', '11', '36');
    expect(pace.delayOf()).toBe(3000);
    pace.observe('120', '0', '20');
    expect(pace.delayOf()).toBe(20_000);
    pace.observe('120', '119', '60');
    expect(pace.delayOf()).toBe(0);
  });

  test('counts a batch for as many requests as it is, and lets none go that would be refused', () => {
    const pace = new Pace();
    pace.observe('120', '22', '30');
    expect(pace.delayOf(10)).toBe(0);
    pace.observe('120', '21', '30');
    expect(pace.delayOf(10)).toBe(10_000);
    pace.observe('120', '9', '30');
    expect(pace.delayOf(10)).toBe(30_000);
  });

  test('is free when an answer says nothing of the limit', () => {
    const pace = new Pace();
    pace.observe('120', '0', '20');
    pace.observe(undefined, undefined, undefined);
    expect(pace.delayOf()).toBe(0);
  });
});
