import { setTimeout as sleep } from 'node:timers/promises';

const clients = 4;

/** Makes leads one after another until told to stop. Answers those that were acknowledged. */
export async function makeLeads(
  baseUrl: () => string,
  token: string,
  stop: AbortSignal,
): Promise<{ made: string[]; refused: number }> {
  const made: string[] = [];
  let refused = 0;
  const run = async (): Promise<void> => {
    while (!stop.aborted) {
      const lead = baseUrl() === '' ? undefined : await makeLead(baseUrl(), token);
      if (lead !== undefined) made.push(lead);
      else refused += 1;
      await sleep(lead === undefined ? 50 : 10);
    }
  };
  await Promise.all(Array.from({ length: clients }, run));
  return { made, refused };
}

async function makeLead(baseUrl: string, token: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${baseUrl}/leads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"name":"Lead"}',
    });
    const body = await answer.text();
    if (answer.status === 201) return JSON.parse(body).data.id;
    if (answer.status !== 503) throw new Error(`POST /leads answered ${answer.status}: ${body}`);
  } catch (error) {
    // The program was killed in the middle of it: the lead was made, or it was not.
    if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
  }
  return undefined;
}
