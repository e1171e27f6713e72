import type { Problem } from '@dealkeep/core';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { page } from '../frame/page.ts';
import { problemWords } from '../problem-words.ts';
import { formSay } from './texts.ts';

/** Says that a record's state does not allow a step, and leads back to it. */
export function stepConflictPage(
  c: ConsoleContext,
  { back, problem }: { back: string; problem?: Problem },
): Promise<Response> {
  const language = c.get('language');
  const text = formSay(language);
  const title = text('refusedTitle');
  const sentence = problem ? problemWords(language, problem) : text('notPossibleNow');
  const content = html`<h1>${title}</h1><p class="problem" role="alert">${sentence}</p><p><a class="button" href="${back}">${text('back')}</a></p>`;
  return page(c, { title, content }, 409);
}
