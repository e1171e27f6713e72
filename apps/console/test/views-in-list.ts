import type { Browser, VisitedPage } from '@dealkeep/testing';

/** The views above a list: their names, and which one is shown. */
export function viewsIn({ html }: VisitedPage): { names: string[]; current: string | undefined } {
  const links = html.split('<nav class="views"')[1]?.split('</nav>')[0] ?? '';
  const all = [...links.matchAll(/<li><a ([^>]*)>([^<]*)</g)];
  const current = all.find(([, attributes]) => attributes?.includes('aria-current'));
  return { names: all.map(([, , name]) => name ?? ''), current: current?.[2] };
}
/** Where the link of a view leads. */
export const linkTo = ({ html }: VisitedPage, name: string): string =>
  (new RegExp(`<a (?:class="beside" )?href="([^"]*)"[^>]*>${name}`).exec(html)?.[1] ?? '').replaceAll(
    '&amp;',
    '&',
  );

export const newView = (kind: string, query: string) => `/views/new?${new URLSearchParams({ kind, query })}`;

/** Saves what a list shows with these filters. */
export async function saveView(
  browser: Browser,
  { kind = 'lead', query, name, shared = 'false' }: Record<string, string> & { query: string; name: string },
): Promise<VisitedPage> {
  const form = await browser.get(newView(kind, query));
  return browser.submit(form, actionIn(form, '/views/new'), { name, shared, do: 'save' });
}

/** The address that a form of a page is sent to, by how it begins. */
export const actionIn = ({ html }: VisitedPage, begin: string): string =>
  (new RegExp(`action="(${begin}[^"]*)"`).exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
