import { lookupSettings, orderedLookupNames } from '@dealkeep/contract';
import type { Changing } from '@dealkeep/core/change';
import { problemsForUser, runAsUser } from '@dealkeep/core/operations';
import { type LookupEntry, requireShown } from '@dealkeep/core/records';
import type { Hono } from 'hono';
import { requirePayingOwner } from '../../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../../context.ts';
import { bodyOf, type FormBody } from '../../forms/body.ts';
import { type EditForm, editPage, saveEdit } from '../../forms/edit-form.ts';
import { formPage, type ShownForm } from '../../forms/form-page.ts';
import { receive } from '../../forms/received.ts';
import { beginningWith, formKey, once, type Refusal, refusedForm } from '../../forms/send.ts';
import { readingOf, readTyped, type Typed } from '../../forms/typed.ts';
import { eachLookup, entryIn, fieldsIn, type Place } from './place.ts';
import { lookupSay } from './texts.ts';

/** The pages that add, change and order the entries of the lists. */
export function lookupEditRoutes(app: Hono<ConsoleEnvironment>): void {
  eachLookup((path, lookup, placeOf) => {
    app.get(`${path}/new`, async (c) => {
      const place = await placeOf(c);
      return newPage(c, place, { state: beginningWith(await fieldsIn(c, lookup), beginning(c, place)) });
    });
    app.post(`${path}/new`, async (c) => create(c, await placeOf(c)));
    app.get(`${path}/:id/edit`, async (c) => editPage(c, await editForm(c, await placeOf(c))));
    app.post(`${path}/:id/edit`, async (c) => {
      requirePayingOwner(c);
      return saveEdit(c, await editForm(c, await placeOf(c)));
    });
    const name = orderedLookupNames.find((each) => each === lookup.name);
    if (name === undefined) return;
    for (const direction of ['up', 'down'] as const) {
      app.post(`${path}/:id/${direction}`, async (c) => {
        const place = await placeOf(c);
        const session = requirePayingOwner(c);
        const request = { path: { id: (await entryIn(c, place)).id }, body: { direction } };
        const key = formKey(await readTyped(c));
        const id = `${lookupSettings[name].plural}.move` as const;
        await once(() => runAsUser(c.get('core'), session, id, request, key));
        return c.redirect(`${place.page}?done=moved`, 303);
      });
    }
  });
}

/** Prices begin in the organization's currency. */
const beginning = (c: ConsoleContext, { lookup }: Place): Typed =>
  new Map([
    ['currency', [sessionOf(c).organization.currency]],
    ...Object.entries(lookup.begins ?? {}).map(([name, value]) => [name, [value]] as const),
  ]);

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

function newPage(
  c: ConsoleContext,
  { lookup, base, page }: Place,
  { status, ...form }: Form,
): Promise<Response> {
  const language = c.get('language');
  const title = lookupSay(language)('add', { what: lookup.label[language] });
  const about = (lookup.aboutNew ?? lookup.about)[language];
  const button = lookupSay(language)('save');
  return formPage(c, { title, about, action: `${base}/new`, back: page, button, ...form }, status);
}

/** Where an entry is shown: on a page of its own when others stand in it. */
const pageOf = ({ lookup, base, page }: Place, { id }: Pick<LookupEntry, 'id'>): string =>
  lookup.inner ? `${base}/${id}` : page;

async function create(c: ConsoleContext, place: Place): Promise<Response> {
  const session = requirePayingOwner(c);
  const { lookup, parent } = place;
  const fields = await fieldsIn(c, lookup);
  const id = `${lookupSettings[lookup.name].plural}.add` as const;
  const within = parent ? { path: { id: parent.id } } : {};
  const bodies = (typed: Typed) => {
    const values = bodyOf(fields, typed, { ...readingOf(c), clears: true });
    return { sent: values, whole: values };
  };
  const problemsOf = (body: FormBody) => problemsForUser(c.get('core'), session, id, { body, ...within });
  const received = await receive(c, fields, { judged: { problemsOf, bodies } });
  if ('again' in received) return newPage(c, place, received.again);
  const typed = received.send;
  const request = { body: bodies(typed).sent, ...within };
  try {
    const entry = await once(() => runAsUser(c.get('core'), session, id, request, formKey(typed)));
    return c.redirect(`${pageOf(place, entry)}?done=added`, 303);
  } catch (error) {
    return newPage(c, place, refusedForm(c, fields, typed, error));
  }
}

async function editForm(c: ConsoleContext, place: Place): Promise<EditForm> {
  const { lookup, base } = place;
  const session = sessionOf(c);
  const entry = await entryIn(c, place);
  const back = pageOf(place, entry);
  const id = `${lookupSettings[lookup.name].plural}.edit` as const;
  const path = { id: entry.id };
  return {
    title: lookupSay(c.get('language'))('editTitle', { name: entry.name }),
    action: `${base}/${entry.id}/edit`,
    back,
    fields: await fieldsIn(c, lookup),
    shown: entry,
    problemsOf: (body) => problemsForUser(c.get('core'), session, id, { path, body }),
    save: async (body) => {
      const unchanged = (changing: Changing) => requireShown(changing, lookup.name, entry);
      await runAsUser(c.get('core'), session, id, { path, body, unchanged });
      return `${back}?done=saved`;
    },
  };
}
