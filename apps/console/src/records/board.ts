import { type AnswerOf, type EveryOperation, operations } from '@dealkeep/contract';
import { permissionsFor, runAsUser } from '@dealkeep/core';
import { html } from 'hono/html';
import { forgeryField } from '../auth/forgery.ts';
import { isPermitted, requirePermitted } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { type Choice, type ChoiceGroup, choicesOf } from '../forms/choices.ts';
import { page } from '../frame/page.ts';
import { bar, button, choices, field, hiddenField, linkButton, type Markup, option } from '../markup.ts';
import { type ShownPage, type ShownRecord, textIn } from '../values/shown-record.ts';
import { moneyOf, numberOf } from '../values/shown-value.ts';
import type { RecordKind } from './record-kind.ts';
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
  const heading = bar(text('boardTitle'), choices(linkButton(leads.path, text('list'), 'secondary')));
  if (!pipeline?.heading) {
    return page(c, { title: text('boardTitle'), content: html`${heading}<p>${text('noPipeline')}</p>` });
  }
  const { heading: shownPipeline, choices: stages } = pipeline;
  const totals = await totalsOf(c, shownPipeline.id);
  const limit = Math.max(1, Math.min(mostInStage, Math.floor(cardsOnBoard / stages.length)));
  const columns = await Promise.all(
    stages.map(async (stage) => ({
      stage,
      leads: await leadsIn(c, leads, { pipeline: shownPipeline.id, stage, limit }),
    })),
  );
  const chooser =
    pipelines.length > 1
      ? pipelineChooser(
          c,
          pipelines.flatMap((each) => each.heading ?? []),
          shownPipeline.id,
        )
      : '';
  const allOf = ({ id }: Choice): string =>
    `${leads.path}?pipeline_id=${shownPipeline.id}&stage_id=${id}&archived=false`;
  const content = html`${heading}${chooser}
<div class="board" tabindex="0" role="region" aria-label="${shownPipeline.name}">${columns.map(
    ({ stage, leads: shown }) => html`<section aria-label="${stage.name}"><h2>${stage.name}</h2>
<p class="quiet">${totalText(c, totals.get(stage.id))}</p>
${shown.data.map((lead) => card(c, leads, lead, pipeline))}
${shown.has_more ? html`<p><a href="${allOf(stage)}">${text('moreInStage')}</a></p>` : ''}</section>`,
  )}</div>`;
  return page(c, { title: text('boardTitle'), content });
}

function pipelineChooser(c: ConsoleContext, pipelines: readonly Choice[], chosen: string): Markup {
  const text = recordSay(c.get('language'));
  const options = pipelines.map(({ id, name }) => option(id, name, id === chosen));
  const select = html`<select id="pipeline" name="pipeline_id" data-submit>${options}</select>`;
  const asked = field(html`<label for="pipeline">${text('pipeline')}</label>`, select);
  const show = button(text('show'), { look: 'secondary' });
  return html`<form class="filters" action="/leads/board">${asked}${show}</form>`;
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

type Total = AnswerOf<EveryOperation['leads.totals']>[number];

/** What stands in each stage; with a role for assigned records, of the user's own. */
async function totalsOf(c: ConsoleContext, pipeline: string): Promise<Map<string, Total>> {
  const query = [['pipeline_id', pipeline]] as const;
  const totals = (await runAsUser(c.get('core'), sessionOf(c), 'leads.totals', { query })) as Total[];
  return new Map(totals.map((each) => [each.stage_id, each]));
}

function totalText(
  c: ConsoleContext,
  { leads, value }: Pick<Total, 'leads' | 'value'> = { leads: 0, value: 0 },
): string {
  return `${numberOf(c, leads)} · ${moneyOf(c, value)}`;
}

function card(c: ConsoleContext, leads: RecordKind, lead: ShownRecord, pipeline: ChoiceGroup): Markup {
  const text = recordSay(c.get('language'));
  const id = textIn(lead, 'id');
  const name = leads.titleOf(lead) || text('open');
  const value = lead['value'];
  const back = `/leads/board?pipeline_id=${pipeline.heading?.id}`;
  const label = html`<label class="visually-hidden" for="stage-${id}">${text('moveTo')}: ${name}</label>`;
  const stage = textIn(lead, 'stage.id');
  const options = pipeline.choices.map((each) => option(each.id, each.name, each.id === stage));
  const select = html`<select id="stage-${id}" name="stage_id">${options}</select>`;
  const press = button(text('move'), { look: 'secondary' });
  const mover = html`${forgeryField(c)}${hiddenField('back', back)}${label}${select}${press}`;
  const move = isPermitted(c, 'lead', { permissions: permissionsFor(operations['leads.move']) })
    ? html`<form class="mover" method="post" action="${leads.path}/${id}/move">${mover}</form>`
    : '';
  const worth = typeof value === 'number' ? html` · ${moneyOf(c, value)}` : '';
  return html`<article class="card"><h3><a href="${leads.path}/${id}">${name}</a></h3>
<p class="quiet">${textIn(lead, 'company.name')}${worth}</p>${move}</article>`;
}
