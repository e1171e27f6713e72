import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { requirePermitted } from '../auth/permitted.ts';
import { wayBack } from '../auth/sign-in-routes.ts';
import type { ConsoleContext, ConsoleEnvironment } from '../context.ts';
import { bodyOf, type FormBody, typedOf } from '../forms/body.ts';
import { formPage, onceOf, type ShownForm } from '../forms/form-page.ts';
import { receive, unjudged } from '../forms/received.ts';
import { isMendable, once, refused, statusOf, stepConflictPage } from '../forms/send.ts';
import { firstOf, readingOf, type Typed } from '../forms/typed.ts';
import type { Markup } from '../markup.ts';
import { type ShownRecord, textIn } from '../values/shown-record.ts';
import { currencyOf } from '../values/shown-value.ts';
import type { RecordKind, Step } from './record-kind.ts';
import { recordSay } from './texts.ts';

const backField = 'back';

/** The pages that do something with a record of a kind: one asks, one does. */
export function stepRoutes(app: Hono<ConsoleEnvironment>, kind: RecordKind): void {
  app.get(`${kind.path}/:id/:step`, async (c, next) => {
    const found = await stepOf(c, kind);
    if (!found) return conflict(c, kind) ?? next();
    const { record, step } = found;
    requirePermitted(c, kind.resource, step);
    return stepPage(c, kind, found, { state: await beginning(c, step, record) });
  });
  app.post(`${kind.path}/:id/:step`, async (c, next) => {
    const found = await stepOf(c, kind);
    return found ? takeStep(c, kind, found) : (conflict(c, kind) ?? next());
  });
}

/**
 * The answer to a step that the record's state does not allow, as an outdated page may ask for; undefined where
 * there is no such step at all.
 */
function conflict(c: ConsoleContext, { steps, path }: RecordKind): Promise<Response> | undefined {
  const known = steps.some(({ name }) => name === c.req.param('step'));
  return known ? stepConflictPage(c, { back: `${path}/${c.req.param('id')}` }) : undefined;
}

interface Found {
  readonly record: ShownRecord;
  readonly step: Step;
}

/** The step of an address, if the record's state allows it; another state is told to the user. */
async function stepOf(c: ConsoleContext, kind: RecordKind): Promise<Found | undefined> {
  const record = await kind.get(c, c.req.param('id') ?? '');
  const step = kind.stepsOf(record).find(({ name }) => name === c.req.param('step'));
  return step && { record, step };
}

async function beginning(c: ConsoleContext, step: Step, record: ShownRecord): Promise<ShownForm['state']> {
  const fields = await step.fields(c);
  const typed = typedOf(fields, step.begins?.(record) ?? {}, readingOf(c));
  // A link can say what is chosen: the stage that somebody pressed.
  const asked = fields.flatMap(({ name }): [string, string[]][] => {
    const value = c.req.query(name);
    return value === undefined ? [] : [[name, [value]]];
  });
  return unjudged(fields, new Map([...narrowing(record), ...typed, ...asked]));
}

/** What a step's form depends on stands in the record: the pipeline of a stage, the currency of a payment. */
const narrowing = (record: ShownRecord): Typed =>
  new Map(
    [
      ['pipeline_id', textIn(record, 'pipeline.id')],
      ['project_id', textIn(record, 'project.id')],
      ['currency', textIn(record, 'currency')],
    ].flatMap(([name = '', value = '']) => (value === '' ? [] : [[name, [value]]])),
  );

function stepPage(
  c: ConsoleContext,
  kind: RecordKind,
  { record, step }: Found,
  form: Pick<ShownForm, 'state'> & Partial<ShownForm>,
  status?: ContentfulStatusCode,
): Promise<Response> {
  const language = c.get('language');
  const path = `${kind.path}/${textIn(record, kind.idField)}`;
  const asked = c.req.query(backField);
  const query = asked === undefined ? '' : `?${new URLSearchParams({ [backField]: wayBack(asked) })}`;
  return formPage(
    c,
    {
      title: `${step.label[language]}: ${kind.titleOf(record)}`,
      about: step.about[language],
      action: `${path}/${step.name}${query}`,
      back: asked === undefined ? path : wayBack(asked),
      button: step.label[language],
      danger: step.danger,
      ...(step.begins ? { version: textIn(record, 'updated_at') } : {}),
      ...form,
    },
    status,
  );
}

async function takeStep(c: ConsoleContext, kind: RecordKind, found: Found): Promise<Response> {
  const { record, step } = found;
  requirePermitted(c, kind.resource, step);
  const fields = await step.fields(c);
  const reading = { ...readingOf(c), currency: currencyOf(c, record) };
  const id = textIn(record, kind.idField);
  const bodies = (typed: Typed) => {
    const body = bodyOf(fields, typed, reading);
    return { sent: body, whole: body };
  };
  const problemsOf = (body: FormBody) => step.problemsOf(c, id, body);
  const version = step.begins ? { version: textIn(record, 'updated_at') } : {};
  const received = await receive(c, fields, { reading, judged: { problemsOf, bodies }, ...version });
  if ('again' in received) {
    const { status, ...form } = received.again;
    const state = { ...form.state, typed: new Map([...narrowing(record), ...form.state.typed]) };
    return stepPage(c, kind, found, { ...form, state }, status);
  }
  const typed = received.send;
  const { sent: body } = bodies(typed);
  const changedMeanwhile = (now: ShownRecord): Promise<Response> => {
    const alerts = [recordSay(c.get('language'))('changedMeanwhile')];
    return stepPage(c, kind, { record: now, step }, { state: unjudged(fields, typed), alerts }, 409);
  };
  try {
    const key = onceOf(typed) || crypto.randomUUID();
    await once(() => step.run(c, id, body, { once: key, ...version }));
  } catch (error) {
    if (!isMendable(error)) throw error;
    if (error.key === 'record.changed') return changedMeanwhile(await kind.get(c, id));
    if (error.code === 'CONFLICT') return stepConflictPage(c, { back: `${kind.path}/${id}`, problem: error });
    const form = refused(c, { fields }, typed, error);
    const state = { ...form.state, typed: new Map([...narrowing(record), ...typed]) };
    return stepPage(c, kind, found, { ...form, state }, statusOf(error));
  }
  const back = firstOf(typed, backField) || c.req.query(backField);
  return c.redirect(back ? wayBack(back) : `${kind.path}/${id}?done=${step.name}`, 303);
}

/** What was done, where the address of a record's page says so. */
export function doneNotice(c: ConsoleContext, labels: readonly Step[]): Markup | string {
  const done = c.req.query('done');
  if (done === undefined) return '';
  const [language, text] = [c.get('language'), recordSay(c.get('language'))];
  const step = labels.find(({ name }) => name === done);
  return html`<p class="notice" role="status">${step ? text('done', { step: step.label[language] }) : text('saved')}</p>`;
}
