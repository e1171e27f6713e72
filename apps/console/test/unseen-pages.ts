import { Browser, type TestDealkeep } from '@dealkeep/testing';
import { type UnseenRecords, unseenRecords } from '@dealkeep/testing/business';
import { expect } from 'vitest';
import { recordKinds } from '../src/records/record-kinds.ts';

/** A person whose role shows only some records, signed in. */
export async function unseenInConsole(dealkeep: TestDealkeep) {
  const records = await unseenRecords(dealkeep);
  const browser = new Browser(dealkeep);
  await browser.signInAs(records.user.email);
  return { records, browser };
}

/**
 * Looks for what the person may not see in everything that the console shows of their records. Answers which were
 * shown.
 */
export async function walkPages(
  browser: Browser,
  { own, secrets, unseen }: UnseenRecords,
): Promise<readonly string[]> {
  const shown: string[] = [];
  for (const { resource, path, update } of recordKinds) {
    const id = Object.entries(own).find(([kind]) => kind === resource)?.[1];
    if (id === undefined) continue;
    const pages = [path, `${path}/export.csv`, `${path}/${id}`, `${path}/${id}/print`];
    if (update) pages.push(`${path}/${id}/edit`);
    for (const page of pages) {
      const { status, html } = await browser.get(page);
      if (status === 200) shown.push(page.replace(id, '{id}'));
      expectNothing(page, html);
    }
  }
  return shown;

  function expectNothing(page: string, html: string): void {
    for (const secret of [...secrets, ...Object.values(unseen)]) {
      expect(html.includes(secret), `${page} shows ${secret}`).toBe(false);
    }
  }
}
