import { type Text, text } from '@dealkeep/contract';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import type { Markup } from '../markup.ts';
import { say, sayFrom } from '../texts.ts';
import { pagesOf } from './navigation.ts';

export const shortcutsPath = '/shortcuts';

const shortcutSay = sayFrom({
  everywhere: text('Everywhere', 'Všade'),
  find: text('Search, create, go to a page', 'Hľadať, vytvárať, prejsť na stránku'),
  thisList: text('Show these shortcuts', 'Zobraziť tieto skratky'),
  make: text('Create what the page lists', 'Vytvoriť to, čo stránka obsahuje'),
  goTo: text('Go to', 'Prejsť na'),
  singleKeys: text(
    'Keys without Ctrl work while nothing is typed',
    'Klávesy bez Ctrl fungujú, keď sa nič nepíše',
  ),
} as const satisfies Record<string, Text>);

/** The shortcuts, as a part of a page: the script that carries them out shows it in a dialog. */
export function shortcutRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(shortcutsPath, (c) => c.html(shortcutList(c)));
}

function shortcutList(c: ConsoleContext): Markup {
  const language = c.get('language');
  const words = shortcutSay(language);
  const goTo = pagesOf(c).flatMap(({ key, label }) => (key ? [[['g', key], label[language]] as const] : []));
  const everywhere = [
    [['/'], words('find')],
    [['Ctrl', 'K'], words('find')],
    [['c'], words('make')],
    [['?'], words('thisList')],
  ] as const;
  return html`<h2 id="shortcuts-title">${say(language)('shortcuts')}</h2>
<div class="shortcuts"><section><h3>${words('everywhere')}</h3>${shortcuts(everywhere)}</section>
<section><h3>${words('goTo')}</h3>${shortcuts(goTo)}</section></div>
<label class="inline"><input type="checkbox" name="single-keys">${words('singleKeys')}</label>`;
}

const shortcuts = (shown: readonly (readonly [readonly string[], string])[]): Markup =>
  html`<dl>${shown.map(
    ([keys, does]) => html`<dt>${keys.map((key) => html`<kbd>${key}</kbd> `)}</dt><dd>${does}</dd>`,
  )}</dl>`;
