import { type Language, type Text, text } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ConsoleContext } from './context.ts';
import type { Markup } from './markup.ts';

/** Says the texts of some pages: `say('sk')('signOut')`. Placeholders stand in braces. */
export const sayFrom =
  <Name extends string>(texts: Readonly<Record<Name, Text>>) =>
  (language: Language) =>
  (name: Name, values: Readonly<Record<string, string | number>> = {}): string =>
    texts[name][language].replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));

/** What several rooms say. */
export const sharedTexts = {
  toHome: text('To the start', 'Na začiatok'),
  skip: text('Skip to the content', 'Preskočiť na obsah'),
  notFoundTitle: text('There is nothing here', 'Tu nič nie je'),
  notFoundSentence: text(
    'The address is not known, or the record belongs to another organization.',
    'Adresa nie je známa alebo záznam patrí inej organizácii.',
  ),
  refusedTitle: text('This is not possible', 'Toto nie je možné'),
  faultTitle: text('Something went wrong', 'Niečo sa pokazilo'),
  faultSentence: text(
    'It is our fault, and it has been noted. Try again; if it stays, tell your operator the request: {request}',
    'Je to naša chyba a zaznamenali sme ju. Skúste to znova; ak to pretrváva, povedzte správcovi požiadavku: {request}',
  ),
  unavailableTitle: text('Back in a moment', 'O chvíľu sme späť'),
  unavailableSentence: text(
    'The service is not available right now. Nothing was lost; try again in a few seconds.',
    'Služba práve nie je dostupná. Nič sa nestratilo; skúste to o pár sekúnd.',
  ),
  forgeryTitle: text('This form is no longer valid', 'Tento formulár už neplatí'),
  forgerySentence: text(
    'It was opened before you signed in or switched the organization, or it came from another site. Go back, reload the page and try again.',
    'Bol otvorený pred prihlásením alebo pred prepnutím organizácie, alebo prišiel z inej stránky. Vráťte sa, obnovte stránku a skúste to znova.',
  ),
  yes: text('Yes', 'Áno'),
  no: text('No', 'Nie'),
  unnamed: text('Without a name', 'Bez názvu'),
  home: text('Home', 'Prehľad'),
  mainNavigation: text('Main', 'Hlavná'),
  menu: text('Menu', 'Menu'),
  search: text('Search', 'Hľadať'),
  organizationNow: text('You are in {organization}.', 'Ste v organizácii {organization}.'),
  switchOrganization: text('Switch organization', 'Prepnúť organizáciu'),
  accountOf: text('Your account, {name}', 'Váš účet, {name}'),
  ownAccount: text('Your account', 'Váš účet'),
  shortcuts: text('Keyboard shortcuts', 'Klávesové skratky'),
  close: text('Close', 'Zavrieť'),
  signOut: text('Sign out', 'Odhlásiť sa'),
  show: text('Show', 'Zobraziť'),
  ofCategory: text('Products of this category', 'Produkty tejto kategórie'),
  edit: text('Edit', 'Upraviť'),
  editTitle: text('Edit: {name}', 'Upraviť: {name}'),
  save: text('Save', 'Uložiť'),
  back: text('Back', 'Späť'),
  notNow: text('No, go back', 'Nie, späť'),
  filter: text('Filter', 'Filtrovať'),
  clearFilters: text('Clear', 'Zrušiť filtre'),
  nextPage: text('Next page', 'Ďalšia stránka'),
  nothingYet: text('There are none yet.', 'Zatiaľ tu nič nie je.'),
  details: text('Details', 'Podrobnosti'),
  copy: text('Copy', 'Kopírovať'),
  copied: text('Copied', 'Skopírované'),
} as const satisfies Record<string, Text>;

/** The shared texts of the console in a language: `say('sk')('signOut')`. */
export const say = sayFrom(sharedTexts);

/** Says what was done, where the address of a page names it: `?done=saved`, and `count` for a text with a number. */
export const doneNoticeFrom = (texts: Readonly<Record<string, Text>>) => {
  const say = sayFrom(texts);
  return (c: ConsoleContext): Markup | string => {
    const done = c.req.query('done');
    if (done === undefined || !Object.hasOwn(texts, done)) return '';
    const count = Number.parseInt(c.req.query('count') ?? '0', 10) || 0;
    return html`<p class="notice" role="status">${say(c.get('language'))(done, { count })}</p>`;
  };
};
