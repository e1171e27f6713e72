import { setTimeout as sleep } from 'node:timers/promises';

/** Asks until the answer is neither false nor undefined; rejects with what was awaited after the limit. */
export async function waitFor<Value>(
  what: string,
  limitMilliseconds: number,
  ask: () => Value | Promise<Value>,
): Promise<Exclude<Value, false | undefined>> {
  const end = Date.now() + limitMilliseconds;
  for (;;) {
    const answer = await ask();
    if (isAnswer(answer)) return answer;
    if (Date.now() > end) throw new Error(`Waited ${limitMilliseconds} ms for ${what}`);
    await sleep(50);
  }
}

const isAnswer = <Value>(value: Value): value is Exclude<Value, false | undefined> =>
  value !== false && value !== undefined;
