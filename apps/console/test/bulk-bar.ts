import type { Browser, VisitedPage } from '@dealkeep/testing';

/** The form of a list for what is selected; it is found by its first address. */
const barOf = ({ html }: VisitedPage): string =>
  (/id="bulk" method="post" action="([^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');

/** Ticks records in a list and presses a button of the bar. */
export async function press(
  browser: Browser,
  list: string,
  action: string,
  fields: Readonly<Record<string, string | readonly string[]>>,
): Promise<VisitedPage> {
  const page = await browser.get(list);
  // A button has an address of its own.
  const bar = barOf(page);
  const html = page.html.replace(
    `action="${bar.replaceAll('&', '&amp;')}"`,
    `action="${bar.replace('/export', `/${action}`).replaceAll('&', '&amp;')}"`,
  );
  return browser.submit({ ...page, html }, bar.replace('/export', `/${action}`), fields);
}

/** Answers the page that asks. */
export async function answer(
  browser: Browser,
  asking: VisitedPage,
  fields: Readonly<Record<string, string | readonly string[]>>,
): Promise<VisitedPage> {
  const action = /<form class="card"[^>]* action="([^"]*)"/.exec(asking.html)?.[1] ?? '';
  const record = [...asking.html.matchAll(/name="record" value="([^"]*)"/g)].map(([, id]) => id ?? '');
  return browser.submit(asking, action.replaceAll('&amp;', '&'), { ...fields, record, do: 'save' });
}
