import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchOrganization } from './organization.ts';

const clients = 8;

/**
 * Makes leads, so many a second, or as fast as clients can. Answers how long each took, in milliseconds.
 */
export async function makeLeads(
  baseUrl: string,
  organization: BenchOrganization,
  { leads, perSecond }: { leads: number; perSecond?: number },
): Promise<number[]> {
  const took: number[] = [];
  let left = leads;
  const make = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const started = performance.now();
      await post(baseUrl, organization, '/leads', { name: `Lead ${left}` });
      took.push(performance.now() - started);
      if (perSecond !== undefined) await sleep(1000 / perSecond);
    }
  };
  await Promise.all(Array.from({ length: perSecond === undefined ? clients : 1 }, make));
  return took;
}

/** As connectors send it: with a key. */
export async function post(
  baseUrl: string,
  { token }: BenchOrganization,
  path: string,
  body: object,
): Promise<void> {
  const answer = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201)
    throw new Error(`POST ${path} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}
