import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ConsoleContext } from '../context.ts';
import { say } from '../texts.ts';
import { plainPage } from './plain-page.ts';

/** A page that says one thing: something was not found, was refused, or went wrong. */
export function messagePage(
  c: ConsoleContext,
  { title, sentence }: { title: string; sentence: string },
  status: ContentfulStatusCode,
): Promise<Response> {
  const text = say(c.get('language'));
  return plainPage(
    c,
    { title, content: html`<p>${sentence}</p><p><a href="/">${text('toHome')}</a></p>` },
    status,
  );
}
