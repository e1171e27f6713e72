import { randomUUIDv7 } from 'node:crypto';
import type { Services } from '../../change/services.ts';
import { type Writing, writes } from '../../change/verb/verb.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { erasureInRequestMs } from '../../foundations/operating-limits.ts';
import {
  beginErasure,
  type Erasure,
  goOn,
  lockNext,
  lockUnfinished,
  type ShownErasure,
  shown,
} from './erasures.ts';
import { type ErasableKind, findErasedRecords, lockErasable } from './find-records.ts';

export const eraseCompany = writes('companies.erase', (context, { path }) =>
  erase(context, 'company', path.id),
);
export const eraseContact = writes('contacts.erase', (context, { path }) =>
  erase(context, 'contact', path.id),
);
export const eraseClient = writes('clients.erase', (context, { path }) => erase(context, 'client', path.id));
export const eraseLead = writes('leads.erase', (context, { path }) => erase(context, 'lead', path.id));

/**
 * Overwrites the personal data of a record wherever it stands: as much as a request has time for, the record itself
 * and the newest events first; a worker does the rest. Asked again meanwhile, it goes on. No event tells of it.
 * Raises NOT_FOUND.
 */
async function erase(context: Writing, kind: ErasableKind, record_id: string): Promise<ShownErasure> {
  const { core, sql, now, actor } = context;
  await lockErasable(context, kind, record_id);
  let erasure = (await lockUnfinished(context, record_id)) ?? (await begin(context, kind, record_id));
  const until = performance.now() + erasureInRequestMs;
  do erasure = await goOn(core, sql, erasure, now);
  while (erasure.finished_at === null && performance.now() < until);
  const { id, counts, finished_at } = erasure;
  const story = { erasure: id, record_id, kind, requested_by: actor.user.id, finished_at, ...counts };
  context.afterCommit(() => core.log.info(story, 'Personal data was erased'));
  return shown(erasure);
}

async function begin(context: Writing, kind: ErasableKind, record_id: string): Promise<Erasure> {
  const { actor } = context;
  const asked = { id: randomUUIDv7(), kind, record_id };
  const key = actor.kind === 'api_key' ? actor.id : null;
  const erasure = await beginErasure(context, asked, { user: actor.user.id, key });
  await findErasedRecords(context, asked);
  return erasure;
}

/**
 * Goes on with all erasures that have something to do, part by part, each a transaction of its own: a worker that
 * dies loses one part at most, and any number of them may run it at once. Answers how many were finished or looked
 * at again.
 */
export async function continueErasures(core: Services): Promise<number> {
  let ended = 0;
  for (;;) {
    const now = core.clock.now().toISOString();
    const [before, after] = await inTransaction(core.sql, async (sql) => {
      const next = await lockNext(sql, now);
      return [next, next && (await goOn(core, sql, next, now))] as const;
    });
    if (!before || !after) return ended;
    if (after.stage === null || after.finished_at !== before.finished_at) ended += 1;
  }
}
