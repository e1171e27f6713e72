const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

/** The text of a piece of HTML, as a reader sees it. */
export const textOf = (html: string): string =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:amp|lt|gt|quot|#39);/g, (each) => entities[each] ?? each);

/** What stands inside the element with this id, up to the next one of its kind. */
export function articleOf(page: string, id: string): string {
  const [, after = ''] = page.split(`<article class="operation" id="${id}">`);
  return after.slice(0, after.indexOf('</article>'));
}

/** The values of an attribute, in their order. */
export const attributes = (page: string, name: string): string[] =>
  [...page.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
