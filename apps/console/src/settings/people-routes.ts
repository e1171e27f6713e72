import { addPerson, listPeople, type Person } from '@dealkeep/core';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { requireOwner } from '../integrations/owners.ts';
import { beginningWith, onceBy, type Refusal, refusedForm } from '../integrations/refused-form.ts';
import { secretPage } from '../integrations/secret-page.ts';
import type { Markup } from '../markup.ts';
import { page } from '../page.ts';
import { bodyOf } from '../records/form/body-of.ts';
import { formPage, type ShownForm } from '../records/form/form-page.ts';
import { readingOf } from '../records/form/reading.ts';
import { receive } from '../records/form/received.ts';
import { once } from '../records/form/send.ts';
import { firstOf } from '../records/form/typed.ts';
import { momentOf } from '../records/value.ts';
import { accessBadge, isSelf, peoplePath, personFields, roleLabel } from './people-parts.ts';
import { doneNotice, settingsSay } from './texts.ts';

/** The people of the organization, and a new one. */
export function peopleRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(peoplePath, peoplePage);
  app.get(`${peoplePath}/new`, async (c) => {
    const typed = new Map([['language', [c.get('language')]]]);
    return newPersonPage(c, { state: beginningWith(await personFields(c), typed) });
  });
  app.post(`${peoplePath}/new`, createPerson);
}

async function peoplePage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const text = settingsSay(c.get('language'));
  const people = await listPeople(c.get('core'), organization);
  const content = html`<div class="bar"><h1>${text('people')}</h1><a class="button" href="${peoplePath}/new">${text('newPerson')}</a></div>
<p>${text('peopleAbout')}</p>
${doneNotice(c)}
<div class="scroll"><table><thead><tr><th scope="col">${text('personName')}</th><th scope="col">${text('email')}</th><th scope="col">${text('role')}</th><th scope="col">${text('state')}</th><th scope="col">${text('lastSignIn')}</th></tr></thead>
<tbody>${people.map((person) => personRow(c, person))}</tbody></table></div>`;
  return page(c, { title: text('people'), content });
}

function personRow(c: ConsoleContext, person: Person): Markup {
  const text = settingsSay(c.get('language'));
  const { id, name, email, role, last_signed_in_at: last } = person;
  return html`<tr><th scope="row"><a href="${peoplePath}/${id}">${name}</a>${isSelf(c, id) ? html` <span class="quiet">${text('you')}</span>` : ''}</th><td data-label="${text('email')}">${email}</td><td data-label="${text('role')}">${roleLabel(c, role)}</td><td data-label="${text('state')}">${accessBadge(c, person)}</td>
<td data-label="${text('lastSignIn')}">${last ? momentOf(c, last) : html`<span class="quiet">${text('never')}</span>`}</td></tr>`;
}

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & Partial<Pick<Refusal, 'status'>>;

function newPersonPage(c: ConsoleContext, { status, ...form }: Form): Promise<Response> {
  const text = settingsSay(c.get('language'));
  const [action, back] = [`${peoplePath}/new`, peoplePath];
  return formPage(c, { title: text('newPerson'), action, back, button: text('addPerson'), ...form }, status);
}

async function createPerson(c: ConsoleContext): Promise<Response> {
  const { user, organization } = requireOwner(c);
  const fields = await personFields(c);
  const received = await receive(c, fields);
  if ('again' in received) return newPersonPage(c, { state: received.again });
  const typed = received.send;
  const body = bodyOf(fields, typed, readingOf(c));
  try {
    const input = body as Parameters<typeof addPerson>[2];
    const { id, madeUp } = await once(() =>
      addPerson(c.get('core'), organization, input, onceBy(user.id, typed, fields)),
    );
    const back = `${peoplePath}/${id}`;
    if (madeUp === null) return c.redirect(`${back}?done=added`, 303);
    const text = settingsSay(c.get('language'));
    const title = text('personAdded', { name: firstOf(typed, 'name') });
    return secretPage(c, { title, about: text('madeUpAbout'), secret: madeUp, back });
  } catch (error) {
    return newPersonPage(c, refusedForm(c, fields, typed, error));
  }
}
