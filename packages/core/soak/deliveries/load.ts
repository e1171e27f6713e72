import { setTimeout as sleep } from 'node:timers/promises';

const clients = 4;
/** Each so many leads one is changed. */
const changedEach = 4;

/** What writers were told: 201 or 200. */
export interface Told {
  /** Of each the event that tells of it, as `changeOf` names it. */
  changes: string[];
  refused: number;
}

/** A change as an event tells of it. Each has a value of its own. */
export const changeOf = (type: string, { id, value }: { id: string; value: number }): string =>
  `${type} ${id} ${value}`;

/** Makes and changes leads one after another until told to stop. */
export async function writeLeads(anyBaseUrl: () => string, token: string, stop: AbortSignal): Promise<Told> {
  const told: Told = { changes: [], refused: 0 };
  let value = 0;
  const run = async (): Promise<void> => {
    let last: string | undefined;
    while (!stop.aborted) {
      value += 1;
      const changed = value % changedEach === 0 ? last : undefined;
      const path = changed === undefined ? '/leads' : `/leads/${changed}`;
      const lead = anyBaseUrl() === '' ? undefined : await write(anyBaseUrl() + path, token, value);
      if (lead) told.changes.push(changeOf(changed === undefined ? 'lead.created' : 'lead.updated', lead));
      else told.refused += 1;
      last = lead?.id ?? last;
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: clients }, run));
  return told;
}

/** Answers that say "again later". */
export const passing: readonly number[] = [429, 503];

async function write(
  url: string,
  token: string,
  value: number,
): Promise<{ id: string; value: number } | undefined> {
  const isNew = url.endsWith('/leads');
  try {
    const answer = await fetch(url, {
      method: isNew ? 'POST' : 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(isNew ? { name: 'Lead', value } : { value }),
    });
    const body = await answer.text();
    if (answer.status === (isNew ? 201 : 200)) return JSON.parse(body).data;
    if (!passing.includes(answer.status)) throw new Error(`${url} answered ${answer.status}: ${body}`);
  } catch (error) {
    // The program was killed in the middle of it: the change was made, or it was not.
    if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
  }
  return undefined;
}
