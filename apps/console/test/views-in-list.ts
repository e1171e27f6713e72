import type { VisitedPage } from '@dealkeep/testing';

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
