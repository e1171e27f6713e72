import type { FieldFacts, FieldProblem } from '@dealkeep/contract';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ConsoleContext } from '../context.ts';
import type { Markup } from '../markup.ts';
import { say } from '../texts.ts';
import { changesOf, type FormBody, typedOf } from './body.ts';
import { formPage, type ShownForm } from './form-page.ts';
import type { FormState } from './labelled-control.ts';
import { receive } from './received.ts';
import { beginningWith, refusedForm, versionOf } from './send.ts';
import { readingOf, type Typed } from './typed.ts';

/** A form that changes something that exists already. */
export interface EditForm {
  readonly title: string;
  readonly about?: string;
  readonly action: string;
  readonly back: string;
  readonly fields: readonly FieldFacts[];
  /** What it is now. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** How the fields stand, where not simply one after the other. */
  readonly layout?: (state: FormState) => Markup | Promise<Markup>;
  /** What is wrong with changes that are refused anyway, as far as it can be known without making them. */
  readonly problemsOf: (changes: FormBody) => Promise<readonly FieldProblem[]>;
  /** Makes the changes; its answer is where the user is led. */
  readonly save: (changes: FormBody) => Promise<string>;
}

type Form = Pick<ShownForm, 'state'> & Partial<ShownForm> & { status?: ContentfulStatusCode };

const typedNow = (c: ConsoleContext, { fields, shown }: EditForm) => typedOf(fields, shown, readingOf(c));

/** The form as it begins. */
export const editPage = (c: ConsoleContext, edit: EditForm): Promise<Response> =>
  show(c, edit, { state: beginningWith(edit.fields, typedNow(c, edit)) });

async function show(c: ConsoleContext, edit: EditForm, { status, ...form }: Form): Promise<Response> {
  const { title, about, action, back, shown, layout } = edit;
  const button = say(c.get('language'))('save');
  return formPage(
    c,
    {
      title,
      action,
      back,
      button,
      version: versionOf(shown),
      ...(about === undefined ? {} : { about }),
      ...(layout === undefined ? {} : { fields: await layout(form.state) }),
      ...form,
    },
    status,
  );
}

/** Carries the form out. When another tab changed what it showed, the user is told, and keeps what they typed. */
export async function saveEdit(c: ConsoleContext, edit: EditForm): Promise<Response> {
  const { fields, shown } = edit;
  const bodies = (typed: Typed) => {
    const changes = changesOf(fields, { shown: typedNow(c, edit), typed }, readingOf(c));
    return { sent: changes, whole: changes };
  };
  const judged = { problemsOf: edit.problemsOf, bodies };
  const received = await receive(c, fields, { judged, version: versionOf(shown) });
  if ('again' in received) return show(c, edit, received.again);
  const typed = received.send;
  try {
    return c.redirect(await edit.save(bodies(typed).sent), 303);
  } catch (error) {
    return show(c, edit, refusedForm(c, fields, typed, error));
  }
}
