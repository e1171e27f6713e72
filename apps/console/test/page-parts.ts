import type { VisitedPage } from '@dealkeep/testing';

/** The id of the record that a form has made: the page of that is where it leads. */
export const idOfMade = ({ location }: VisitedPage): string => /\/([^/?]+)\?/.exec(location ?? '')?.[1] ?? '';

/** What a page says beside a field; undefined where it says nothing. */
export const problemBeside = (html: string, name: string): string | undefined =>
  html
    .split(`id="problem-${name}"`)[1]
    ?.replace(/^[^>]*>/, '')
    .split('</p>')[0];

/** The chosen option of a select. */
export function selectedIn(html: string, name: string): string | undefined {
  const select = html.split(`<select name="${name}"`)[1]?.split('</select>')[0];
  return /<option value="[^"]*" selected>([^<]*)/.exec(select ?? '')?.[1];
}

/** A page as somebody reads it. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** What a form lets one tick in a field, by the names; undefined where it does not have the field. */
export function ticksIn(html: string, field: string): Map<string, string> | undefined {
  if (!html.includes(`id="field-${field}"`)) return undefined;
  const boxes = html.matchAll(
    new RegExp(`name="${field.replace('.', '\\.')}" value="([^"]*)"(?: checked)?>([^<]*)`, 'g'),
  );
  return new Map([...boxes].map(([, value = '', name = '']) => [name, value]));
}
