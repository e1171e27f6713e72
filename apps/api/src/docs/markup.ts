import { html, raw } from 'hono/html';

/** Escaped HTML; nested values are escaped unless they are markup themselves. */
export type Markup = ReturnType<typeof html>;

/** A sentence whose `backticked` parts are code. */
export const prose = (sentence: string): Markup =>
  html`${sentence.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;

/** A value as JSON that is easy to read, with its keys marked, in a box that scrolls when it is long. */
export function jsonBlock(value: unknown, label: string): Markup {
  // Keys are the strings that a colon follows; the text is escaped before it is marked.
  const escaped = JSON.stringify(value, null, 2).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const marked = escaped.replaceAll(/^( *)("(?:[^"\\]|\\.)*")(?=: )/gm, '$1<b>$2</b>');
  return html`<pre class="json" tabindex="0" role="group" aria-label="${label}"><code>${raw(marked)}</code></pre>`;
}

/** Commands or code as they are to be pasted. */
export const codeBlock = (text: string): Markup => html`<pre><code>${text}</code></pre>`;
