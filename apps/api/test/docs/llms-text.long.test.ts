import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { attributes } from './parts-of-page.ts';

const dealkeep = await sharedDealkeep();
const text = await (await fetch(`${dealkeep.origin}/llms.txt`)).text();
const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)\s]+)\)/gm)].map(([, address = '']) => address);

test('every link of llms.txt leads somewhere', async () => {
  const ids = new Map<string, string[]>();
  for (const address of links.map((link) => link.replace(dealkeep.core.origin, dealkeep.origin))) {
    const { href, hash } = new URL(address);
    const page = href.replace(hash, '');
    if (!ids.has(page)) {
      const answer = await fetch(page);
      expect(answer.status, page).toBe(200);
      ids.set(page, attributes(await answer.text(), 'id'));
    }
    if (hash !== '') expect(ids.get(page), address).toContain(hash.slice(1));
  }
});
