import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { type Markup, unseen } from '../markup.ts';
import { integrationSay } from './texts.ts';

/** What is copied into another program, with its button; `name` says which of many it is. */
export function copyable(
  c: ConsoleContext,
  { id, name, code }: { id: string; name: string; code: string },
): Markup {
  const text = integrationSay(c.get('language'));
  return html`<div class="copyable"><pre id="code-${id}">${code}</pre><button type="button" class="secondary" data-copy="code-${id}" data-copied="${text('copied')}" hidden>${text('copy')}${unseen(` (${name})`)}</button></div>`;
}
