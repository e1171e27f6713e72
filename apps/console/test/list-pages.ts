import type { TestDealkeep } from '@dealkeep/testing';
import { textOf } from './page-parts.ts';

/** Many companies at once: `Firm 001` is the oldest. */
export const insertCompanies = ({ sql }: TestDealkeep, organization: string, count: number) => sql`
  insert into companies (organization_id, id, name, created_at, updated_at)
  select ${organization}, gen_random_uuid(), 'Firm ' || lpad(n::text, 3, '0'), now() + n * interval '1 s', now()
  from generate_series(1, ${count}::integer) n`;

/** Where a page of a list leads on or back. */
export const linkOf = (html: string, relation: 'next' | 'prev'): string =>
  new RegExp(`rel="${relation}" href="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
export const placeOf = (html: string): string =>
  /<nav class="pages"[^>]*><p class="quiet">([^<]*)<\/p>/.exec(html)?.[1] ?? '';
export const headingOf = (html: string): string => textOf(/<h1>.*?<\/h1>/s.exec(html)?.[0] ?? '');

/** The orders that a list offers to windows without headings. */
export const orderMenuOf = (html: string): string =>
  /<details class="drop-down sort-menu">.*?<\/details>/s.exec(html)?.[0] ?? '';
export const linksIn = (menu: string) =>
  [...menu.matchAll(/<a href="([^"]*)"( aria-current="true")?>([^<]*)</g)].map(
    ([, address = '', current, said]) => ({
      address: address.replaceAll('&amp;', '&'),
      current: current !== undefined,
      said,
    }),
  );
