import type { Browser, VisitedPage } from '@dealkeep/testing';
import { expect } from 'vitest';
import { problemBeside, textOf } from './page-parts.ts';

// Of every form: what is wrong with it comes in one round. Whoever mends all that they were told, and nothing else,
// is done.

type Fields = Readonly<Record<string, string>>;

interface Round {
  /** The address of the form. */
  readonly path: string;
  readonly wrong: Fields;
  /** What is wrong with it, by its fields. */
  readonly said: Readonly<Record<string, string | RegExp>>;
  /** What is wrong and belongs to no field. */
  readonly alerts?: readonly string[];
  /** The same fields as they are right. */
  readonly mended: Fields;
  /** Mends what no field can. */
  readonly meanwhile?: () => Promise<unknown>;
}

export const plain = (html: string): string =>
  textOf(html).replaceAll('&#39;', "'").replaceAll('&quot;', '"');

/** What a page says above its form. */
const alertOf = ({ html }: VisitedPage): string | undefined => {
  const alert = html.split('<div class="problem" role="alert">')[1]?.split('</div>')[0];
  return alert === undefined ? undefined : plain(alert);
};

export async function mendedInOneRound(
  browser: Browser,
  round: Round,
  opened?: VisitedPage,
): Promise<VisitedPage> {
  const { path, wrong, said, alerts = [], mended, meanwhile } = round;
  const form = opened ?? (await browser.get(path));
  const refused = await browser.submit(form, path, { ...wrong, do: 'save' });
  const beside = Object.keys(said).map((name) => [name, problemBeside(refused.html, name)] as const);
  expect([refused.status, Object.fromEntries(beside)]).toEqual([
    expect.toSatisfy((status: number) => status === 422 || status === 409),
    Object.fromEntries(Object.entries(said).map(([name, words]) => [name, expect.stringMatching(words)])),
  ]);
  for (const alert of alerts) expect(alertOf(refused)).toContain(alert);
  await meanwhile?.();
  const done = await browser.submit(refused, path, { ...mended, do: 'save' });
  const told = [...done.html.matchAll(/id="problem-([^"]*)"[^>]*>([^<]*)/g)].map(([, name, words]) => [
    name,
    words,
  ]);
  const alert = alertOf(done);
  expect({ told, alert, status: done.status }).toEqual({
    told: [],
    alert: undefined,
    status: expect.toSatisfy((status: number) => status === 200 || status === 303),
  });
  return done;
}

export const taken = 'There is already one with this name. Choose another.';
export const required = /^This (?:field is required|must not be empty)\.$/;
export const fromOffer = 'Choose one of those on offer.';
export const changedMeanwhile = 'changed this record';
