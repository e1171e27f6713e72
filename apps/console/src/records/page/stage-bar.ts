import { type AnswerOf, type EveryOperation, operations } from '@dealkeep/contract';
import { permissionsFor } from '@dealkeep/core/identity';
import { runAsUser } from '@dealkeep/core/operations';
import { html } from 'hono/html';
import { forgeryField } from '../../auth/forgery.ts';
import { isPermitted } from '../../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../../context.ts';
import type { Markup } from '../../markup.ts';
import { choiceLabel } from '../../values/field-words.ts';
import { type ShownRecord, textIn } from '../../values/shown-record.ts';
import type { RecordKind } from '../record-kind.ts';
import { pageSay } from './texts.ts';

/** Where a record stands on its way, from the first place to the last; nothing for what has no way. */
export async function stageBar(
  c: ConsoleContext,
  kind: RecordKind,
  record: ShownRecord,
): Promise<Markup | string> {
  return kind.resource === 'lead' ? leadStages(c, kind, record) : stateBar(c, kind, record);
}

interface Place {
  readonly shown: Markup | string;
  readonly is: 'done' | 'now' | 'ahead';
  /** How it ends there. */
  readonly end?: 'good' | 'bad' | undefined;
}

const barOf = (label: string, places: readonly Place[]): Markup =>
  html`<ol class="stages" aria-label="${label}">${places.map(
    ({ shown, is, end }) =>
      html`<li class="${is}${end ? ` ${end}` : ''}"${is === 'now' ? html` aria-current="step"` : ''}>${shown}</li>`,
  )}</ol>`;

type Pipeline = AnswerOf<EveryOperation['pipelines.get']>;

/** The stages of a lead's pipeline. A press moves it; a lost one asks first why. */
async function leadStages(c: ConsoleContext, kind: RecordKind, lead: ShownRecord): Promise<Markup | string> {
  const [pipeline, stage] = [textIn(lead, 'pipeline.id'), textIn(lead, 'stage.id')];
  const declaration = operations['pipelines.get'];
  if (!pipeline || !isPermitted(c, 'pipeline', { permissions: permissionsFor(declaration) })) return '';
  const { stages }: Pipeline = await runAsUser(c.get('core'), sessionOf(c), 'pipelines.get', {
    path: { id: pipeline },
  });
  const text = pageSay(c.get('language'));
  const at = stages.findIndex(({ id }) => id === stage);
  const isOpen = stages[at]?.kind === 'open';
  const moves =
    lead['archived_at'] === null &&
    isPermitted(c, 'lead', { permissions: permissionsFor(operations['leads.move']) });
  const action = `${kind.path}/${textIn(lead, 'id')}/move`;
  const places = stages.map(({ id, name, kind: becomes }, index): Place => {
    const is = index === at ? 'now' : index < at && becomes === 'open' ? 'done' : 'ahead';
    const end = becomes === 'open' ? undefined : becomes === 'won' ? 'good' : 'bad';
    const title = text('moveToStage', { stage: name });
    if (is === 'now' || !moves) return { shown: html`<span>${name}</span>`, is, end };
    const shown =
      becomes === 'lost'
        ? html`<a href="${action}?stage_id=${id}" title="${title}">${name}</a>`
        : html`<button name="stage_id" value="${id}" title="${title}">${name}</button>`;
    return { shown, is: isOpen || becomes !== 'open' ? is : 'ahead', end };
  });
  const bar = barOf(text('stage'), places);
  return moves ? html`<form method="post" action="${action}">${forgeryField(c)}${bar}</form>` : bar;
}

/** Where the record stands among the states of its kind; one beside the way stands at its end. */
function stateBar(c: ConsoleContext, kind: RecordKind, record: ShownRecord): Markup | string {
  const states = kind.life?.states;
  const field = kind.fields.find(({ name }) => name === 'status');
  if (!states || !field) return '';
  const now = textIn(record, 'status');
  const at = states.findIndex((place) => place.includes(now));
  const label = (state: string): Markup => html`<span>${choiceLabel(c, field, state)}</span>`;
  const places = states.map((place, index): Place => {
    const [usual] = place;
    const isLast = index === states.length - 1;
    if (index !== at) return { shown: label(usual), is: index < at ? 'done' : 'ahead' };
    const isUsual = now === usual;
    return { shown: label(now), is: 'now', end: isUsual ? (isLast ? 'good' : undefined) : endOf(now) };
  });
  const beside: Place[] = at === -1 && now !== '' ? [{ shown: label(now), is: 'now', end: 'bad' }] : [];
  return barOf(pageSay(c.get('language'))('state'), [...places, ...beside]);
}

const endOf = (state: string): Place['end'] => (state === 'ready_for_pickup' ? undefined : 'bad');
