import { html } from 'hono/html';
import type { Markup } from '../markup.ts';

/** An address of the web inside a text; signs at its end belong to the sentence. */
const address = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/gi;

/** A text that somebody wrote, with the addresses in it as links; all else stays text. */
export function linkedText(written: string): Markup {
  const parts: (Markup | string)[] = [];
  let behind = 0;
  for (const found of written.matchAll(address)) {
    const [url] = found;
    parts.push(written.slice(behind, found.index));
    parts.push(html`<a href="${url}" rel="noreferrer noopener">${url}</a>`);
    behind = found.index + url.length;
  }
  parts.push(written.slice(behind));
  return html`${parts}`;
}
