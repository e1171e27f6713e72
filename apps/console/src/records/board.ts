import { operations } from '@dealkeep/contract';
import { actAsUser, permissionsFor, reachFor, stageTotals } from '@dealkeep/core';
import { html } from 'hono/html';
import { forgeryField } from '../auth/forgery.ts';
import { isPermitted, requirePermitted } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { type Choice, type ChoiceGroup, choicesOf } from '../forms/choices.ts';
import { groupedOptions } from '../forms/field-markup.ts';
import { page } from '../frame/page.ts';
import type { Markup } from '../markup.ts';
import { type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';
import { moneyOf, numberOf } from '../values/shown-value.ts';
import type { RecordKind } from './record-kind.ts';
import { leadSteps } from './record-steps.ts';
import { recordSay } from './texts.ts';

/**
 * Cards of all stages together, at most, so that a page stays light however many stages there are; of one stage no more
 * than ten.
 */
const cardsOnBoard = 60;
const mostInStage = 10;

/** The leads of a pipeline by their stages. A card moves by its own small form. */
export async function boardPage(c: ConsoleContext, leads: RecordKind): Promise<Response> {
  requirePermitted(c, 'lead', leads);
  const text = recordSay(c.get('language'));
  const pipelines = await choicesOf(c, 'stage');
  const asked = c.req.query('pipeline_id');
  const pipeline = pipelines.find(({ heading }) => heading?.id === asked) ?? pipelines[0];
  const bar = html`<div class="bar"><h1>${text('boardTitle')}</h1><div class="choices"><a class="button secondary" href="${leads.path}">${text('list')}</a></div></div>`;
  if (!pipeline?.heading) {
    return page(c, { title: text('boardTitle'), content: html`${bar}<p>${text('noPipeline')}</p>` });
  }
  const { heading, choices } = pipeline;
  const totals = await totalsOf(c, heading.id);
  const limit = Math.max(1, Math.min(mostInStage, Math.floor(cardsOnBoard / choices.length)));
  const columns = await Promise.all(
    choices.map(async (stage) => ({
      stage,
      leads: await leadsIn(c, leads, { pipeline: heading.id, stage, limit }),
    })),
  );
  const chooser =
    pipelines.length > 1
      ? html`<form class="filters" action="/leads/board"><div class="field"><label for="pipeline">${text('pipeline')}</label><select id="pipeline" name="pipeline_id" data-submit>${groupedOptions([{ heading: undefined, choices: pipelines.flatMap((each) => each.heading ?? []) }], heading.id)}</select></div><button class="secondary">${text('show')}</button></form>`
      : '';
  const content = html`${bar}${chooser}
<div class="board" tabindex="0" role="region" aria-label="${heading.name}">${columns.map(
    ({ stage, leads: shown }) => html`<section aria-label="${stage.name}"><h2>${stage.name}</h2>
<p class="quiet">${totalText(c, totals.get(stage.id))}</p>
${shown.data.map((lead) => card(c, leads, lead, pipeline))}
${shown.has_more ? html`<p><a href="${leads.path}?pipeline_id=${heading.id}&amp;stage_id=${stage.id}&amp;archived=false">${text('moreInStage')}</a></p>` : ''}</section>`,
  )}</div>`;
  return page(c, { title: text('boardTitle'), content });
}

function leadsIn(
  c: ConsoleContext,
  leads: RecordKind,
  { pipeline, stage, limit }: { pipeline: string; stage: Choice; limit: number },
): Promise<ShownPage> {
  return leads.list(c, [
    ['pipeline_id', pipeline],
    ['stage_id', stage.id],
    ['archived', 'false'],
    ['sort', '-updated_at'],
    ['limit', String(limit)],
  ]);
}

interface Total {
  readonly leads: number;
  readonly value: number;
}

/** What stands in each stage; with a role for assigned records, of the person's own. */
async function totalsOf(c: ConsoleContext, pipeline: string): Promise<Map<string, Total>> {
  const session = sessionOf(c);
  const core = c.get('core');
  const permissions = permissionsFor(operations['leads.list']);
  const own = reachFor(session, 'leads.list') === 'assigned' ? { owner: session.user.id } : {};
  const totals = await actAsUser(core, session, { resource: 'lead', permissions }, ({ id }) =>
    stageTotals({ sql: core.sql, organization: id }, { pipeline, ...own }),
  );
  return new Map(totals.map((each) => [each.stage_id, each]));
}

function totalText(c: ConsoleContext, { leads, value }: Total = { leads: 0, value: 0 }): string {
  return `${numberOf(c, leads)} · ${moneyOf(c, value)}`;
}

function card(c: ConsoleContext, leads: RecordKind, lead: ShownRecord, pipeline: ChoiceGroup): Markup {
  const text = recordSay(c.get('language'));
  const id = textIn(lead, 'id');
  const name = leads.titleOf(lead) || text('open');
  const value = lead['value'];
  const back = `/leads/board?pipeline_id=${pipeline.heading?.id}`;
  const move = isPermitted(c, 'lead', leadSteps.move)
    ? html`<form class="mover" method="post" action="${leads.path}/${id}/move">${forgeryField(c)}<input type="hidden" name="back" value="${back}"><label class="visually-hidden" for="stage-${id}">${text('moveTo')}: ${name}</label><select id="stage-${id}" name="stage_id">${groupedOptions([{ heading: undefined, choices: pipeline.choices }], textIn(lead, 'stage.id'))}</select><button class="secondary">${text('move')}</button></form>`
    : '';
  return html`<article class="card"><h3><a href="${leads.path}/${id}">${name}</a></h3><p class="quiet">${textIn(lead, 'company.name')}${typeof value === 'number' ? html` · ${moneyOf(c, value)}` : ''}</p>${move}</article>`;
}
