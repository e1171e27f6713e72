import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ConsoleContext } from '../context.ts';
import { languageSwitch } from '../language.ts';
import type { Markup } from '../markup.ts';
import { documentOf } from './document.ts';

/** A page without navigation: signing in, consent, messages. */
export async function plainPage(
  c: ConsoleContext,
  { title, content }: { title: string; content: Markup },
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const body = html`<body class="plain">
<main>
<p class="brand">Dealkeep</p>
<h1>${title}</h1>
${content}
</main>
<footer>${languageSwitch(c)}</footer>
</body>`;
  return c.html(await documentOf(c.get('language'), { title, body }), status);
}
