import type { Database } from '@dealkeep/core/foundations';
import { eventually, startHookReceiver } from '@dealkeep/testing';
import { expect } from 'vitest';
import type { Installation } from './installation.ts';

const types = ['lead.created', 'lead.updated', 'company.created'];
const hooks = ['/first', '/second', '/third'];

export interface WatchedHooks {
  /** Whether an event about a record of this name has come. */
  hasHeardOf(name: string): boolean;
  /** Waits until every hook has every event; answers how long each took, and how many came more than once. */
  complete(sql: Database): Promise<{ late: { at: number; ms: number }[]; twice: number }>;
}

/** Subscribers that answer at once, to everything that the load makes. */
export async function watchHooks({ origin, token }: Installation): Promise<WatchedHooks> {
  const receiver = await startHookReceiver();
  const names = new Set<unknown>();
  receiver.answerWith(({ envelope }) => {
    names.add(envelope.data['name']);
    return 200;
  });
  for (const hook of hooks) {
    const answer = await fetch(`${origin}/api/v1/public/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ target_url: new URL(hook, receiver.url).href, events: types }),
    });
    expect(answer.status).toBe(201);
  }
  return {
    hasHeardOf: (name) => names.has(name),
    async complete(sql) {
      const events = await sql<{ id: string; at: string }[]>`
        select id, occurred_at as at from events where type = any(${types})`;
      const wanted = events.flatMap(({ id }) => hooks.map((hook) => `${id} at ${hook}`)).sort();
      const came = (): string[] => receiver.requests.map(({ envelope, path }) => `${envelope.id} at ${path}`);
      await eventually(() => expect([...new Set(came())].sort()).toEqual(wanted), { interval: 200 });
      const firstAt = new Map<string, number>();
      for (const { envelope, at } of receiver.requests) {
        if (!firstAt.has(envelope.id)) firstAt.set(envelope.id, performance.timeOrigin + at);
      }
      const late = events.map(({ id, at }) => {
        const since = Date.parse(at);
        return { at: since, ms: (firstAt.get(id) ?? Number.POSITIVE_INFINITY) - since };
      });
      return { late, twice: receiver.requests.length - wanted.length };
    },
  };
}
