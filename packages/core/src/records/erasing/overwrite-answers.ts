import { type Answer, openAnswer, sealAnswer } from '../../change/idempotency/stored-answer.ts';
import type { Services } from '../../change/services.ts';
import type { Transaction } from '../../foundations/database/connect.ts';
import { UnreadableSecret } from '../../foundations/secrets.ts';
import { eraseInText } from './erase-json.ts';
import { kindsIn, type Walked } from './overwrite-events.ts';

const answersAtOnce = 200;

/** Where a walk through the stored answers stands: a credential and a key of it. */
export type AnswerPlace = readonly [credential: string, key: string];

interface OverwrittenAnswers {
  answers: number;
  /** The walk goes on behind this answer; undefined when there are no more. */
  next: AnswerPlace | undefined;
}

/**
 * Goes through some of the answers that are stored for repeats, and overwrites those that a record of the erasure
 * stands in: a repeat still writes nothing, and is answered without the data. They are encrypted, so each is opened.
 */
export async function overwriteAnswers(
  { secrets, log }: Pick<Services, 'secrets' | 'log'>,
  sql: Transaction,
  walked: Walked,
  after: AnswerPlace | null,
): Promise<OverwrittenAnswers> {
  const { organization, until } = walked;
  const [credential, key] = after ?? ['00000000-0000-0000-0000-000000000000', ''];
  const rows = await sql<{ credential_id: string; idempotency_key: string; answer: Uint8Array }[]>`
    select credential_id, idempotency_key, answer from idempotent_answers
    where organization_id = ${organization} and (credential_id, idempotency_key) > (${credential}, ${key})
      and created_at <= ${until}
    order by credential_id, idempotency_key limit ${answersAtOnce}`;
  let answers = 0;
  for (const row of rows) {
    const { credential_id: owner, idempotency_key: key } = row;
    const place = [organization, owner, key] as const;
    let answer: Answer | undefined;
    try {
      answer = openAnswer(secrets, row.answer, place);
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      log.warn(
        { organization_id: organization },
        'A stored answer cannot be read by anybody, and stays as it is',
      );
      continue;
    }
    if (!answer || answer.body === '') continue;
    const erased = eraseInText(answer.body, await kindsIn(sql, walked, [answer.body]));
    if (erased === answer.body) continue;
    // It is no longer the record that its tag names.
    const sealed = sealAnswer(secrets, { ...answer, body: erased, tag: undefined }, place);
    const { count } = await sql`
      update idempotent_answers set answer = ${sealed}
      where organization_id = ${organization} and credential_id = ${owner} and idempotency_key = ${key}
        and answer = ${row.answer}`;
    answers += count;
  }
  const last = rows.length === answersAtOnce ? rows.at(-1) : undefined;
  return { answers, next: last && [last.credential_id, last.idempotency_key] };
}
