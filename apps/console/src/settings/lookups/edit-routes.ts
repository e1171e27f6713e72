import { createLookup, type LookupEntry, lookupProblems, moveLookup, updateLookup } from '@dealkeep/core';
import type { Hono } from 'hono';
import { requirePayingOwner } from '../../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../../context.ts';
import { bodyOf, type FormBody } from '../../forms/body.ts';
import { formPage, onceOf, type ShownForm } from '../../forms/form-page.ts';
import { receive } from '../../forms/received.ts';
import { beginningWith, once, onceBy, type Refusal, refusedForm } from '../../forms/send.ts';
import { readingOf, readTyped, type Typed } from '../../forms/typed.ts';
import { type EditForm, editPage, saveEdit } from '../edit-form.ts';
import { eachList, entryIn, fieldsIn, type Place } from './place.ts';
import { lookupSay } from './texts.ts';

/** The pages that add, change and order the entries of the lists. */
export function lookupEditRoutes(app: Hono<ConsoleEnvironment>): void {
  eachList((path, list, placeOf) => {
    app.get(`${path}/new`, async (c) => {
      const place = await placeOf(c);
      return newPage(c, place, { state: beginningWith(await fieldsIn(c, list), beginning(c, place)) });
    });
    app.post(`${path}/new`, async (c) => create(c, await placeOf(c)));
    app.get(`${path}/:id/edit`, async (c) => editPage(c, await editForm(c, await placeOf(c))));
    app.post(`${path}/:id/edit`, async (c) => {
      requirePayingOwner(c);
      return saveEdit(c, await editForm(c, await placeOf(c)));
    });
    if (!path.includes(':parent')) return;
    for (const direction of ['up', 'down'] as const) {
      app.post(`${path}/:id/${direction}`, async (c) => order(c, await placeOf(c), direction));
    }
  });
}

/** Prices begin in the organization's currency. */
const beginning = (c: ConsoleContext, { list }: Place): Typed =>
  new Map([
    ['currency', [sessionOf(c).organization.currency]],
    ...Object.entries(list.begins ?? {}).map(([name, value]) => [name, [value]] as const),
  ]);

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

function newPage(
  c: ConsoleContext,
  { list, base, page }: Place,
  { status, ...form }: Form,
): Promise<Response> {
  const language = c.get('language');
  const title = lookupSay(language)('add', { what: list.label[language] });
  const about = (list.aboutNew ?? list.about)[language];
  const button = lookupSay(language)('save');
  return formPage(c, { title, about, action: `${base}/new`, back: page, button, ...form }, status);
}

/** Where an entry is shown: on a page of its own when others stand in it. */
const pageOf = ({ list, base, page }: Place, { id }: LookupEntry): string =>
  list.inner ? `${base}/${id}` : page;

async function create(c: ConsoleContext, place: Place): Promise<Response> {
  const { user, organization } = requirePayingOwner(c);
  const { list, parent } = place;
  const fields = await fieldsIn(c, list);
  const within = parent ? { parent: parent.id } : {};
  const bodies = (typed: Typed) => {
    const values = bodyOf(fields, typed, { ...readingOf(c), clears: true });
    return { sent: values, whole: values };
  };
  const problemsOf = (values: FormBody) =>
    lookupProblems(c.get('core'), organization, list.name, { values, ...within });
  const received = await receive(c, fields, { judged: { problemsOf, bodies } });
  if ('again' in received) return newPage(c, place, received.again);
  const typed = received.send;
  const made = { values: bodies(typed).sent, ...within };
  try {
    const entry = await once(() =>
      createLookup(c.get('core'), organization, list.name, made, onceBy(user.id, typed)),
    );
    return c.redirect(`${pageOf(place, entry)}?done=added`, 303);
  } catch (error) {
    return newPage(c, place, refusedForm(c, fields, typed, error));
  }
}

async function editForm(c: ConsoleContext, place: Place): Promise<EditForm> {
  const { list, base } = place;
  const { organization } = sessionOf(c);
  const entry = await entryIn(c, place);
  const back = pageOf(place, entry);
  return {
    title: lookupSay(c.get('language'))('editTitle', { name: entry.name }),
    action: `${base}/${entry.id}/edit`,
    back,
    fields: await fieldsIn(c, list),
    shown: entry,
    problemsOf: (values) => lookupProblems(c.get('core'), organization, list.name, { id: entry.id, values }),
    save: async (changes) => {
      await updateLookup(c.get('core'), organization, list.name, { id: entry.id, changes, shown: entry });
      return `${back}?done=saved`;
    },
  };
}

async function order(c: ConsoleContext, place: Place, direction: 'up' | 'down'): Promise<Response> {
  const { user, organization } = requirePayingOwner(c);
  const { id } = await entryIn(c, place);
  const key = onceOf(await readTyped(c));
  const form = key === '' ? undefined : { person: user.id, key, input: [id, direction] };
  await once(() => moveLookup(c.get('core'), organization, place.list.name, { id, direction }, form));
  return c.redirect(`${place.page}?done=moved`, 303);
}
