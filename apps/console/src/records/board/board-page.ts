import type { Lead } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { html } from 'hono/html';
import { forgeryField } from '../../auth/forgery.ts';
import { isPermitted, requirePermitted } from '../../auth/permitted.ts';
import type { ConsoleContext } from '../../context.ts';
import { type Choice, choicesOf } from '../../forms/choices.ts';
import { page } from '../../frame/page.ts';
import { bar, button, choices, hiddenField, linkButton, type Markup, option } from '../../markup.ts';
import type { RecordKind } from '../record-kind.ts';
import {
  type AskedBoard,
  askedBoard,
  boardQuery,
  leadsIn,
  type Pipeline,
  pipelinesOf,
  type Stage,
  seesAll,
  totalsOf,
} from './asked-board.ts';
import { cardsOf } from './board-card.ts';
import { boardSay } from './board-texts.ts';

/**
 * Cards of all stages together, at most, so that a page stays light however many stages there are; of one stage no
 * more than ten. More of a stage are loaded when somebody asks for them.
 */
const cardsOnBoard = 60;
const mostInStage = 10;
const cardsOfMore = 20;

/** The leads of a pipeline by their stages. */
export async function boardPage(c: ConsoleContext, leads: RecordKind): Promise<Response> {
  requirePermitted(c, 'lead', leads);
  const text = boardSay(c.get('language'));
  const pipelines = await pipelinesOf(c);
  const board = askedBoard(pipelines, new URL(c.req.url).searchParams);
  const creates = leads.create !== undefined && isPermitted(c, 'lead', leads.create);
  const create = creates ? linkButton(newLead(board), leads.createLabel[c.get('language')]) : '';
  const heading = bar(text('title'), choices(linkButton(leads.path, text('list'), 'secondary'), create));
  if (!board) return page(c, { title: text('title'), content: html`${heading}<p>${text('noPipeline')}</p>` });
  const { stages } = board.pipeline;
  const limit = Math.max(1, Math.min(mostInStage, Math.floor(cardsOnBoard / stages.length)));
  const [totals, reasons, ...shown] = await Promise.all([
    totalsOf(c, board),
    stages.some(({ kind }) => kind === 'lost') ? choicesOf(c, 'lost-reason') : [],
    ...stages.map((stage) => leadsIn(c, board, { stage: stage.id, limit })),
  ]);
  const card = cardsOf(c, board);
  const columns = stages.map((stage, at) => {
    const { data = [], next_cursor = null } = shown[at] ?? {};
    const add = creates
      ? html`<a class="add" href="${newLead(board, stage)}" aria-label="${text('createIn', { stage: stage.name })}">+</a>`
      : '';
    return html`<section aria-label="${stage.name}"><header><h2>${stage.name}</h2>${add}
<p class="quiet" data-total="${stage.id}">${totals.get(stage.id) ?? ''}</p></header>
<div class="stage" data-stage="${stage.id}" data-kind="${stage.kind}" data-empty="${text('empty')}">${cards(c, board, stage, { data, next_cursor, card })}</div></section>`;
  });
  const content = html`${heading}${filters(c, pipelines, board)}
<p class="quiet board-keys" id="board-keys" hidden>${text('keys')}</p>
<div class="board" tabindex="0" role="region" aria-label="${board.pipeline.name}" data-failed="${text('notMoved')}">${columns}</div>
${movingParts(
  c,
  board,
  reasons.flatMap((group) => group.choices),
)}`;
  return page(c, { title: text('title'), content, scripts: ['sortable.js', 'board.js'] });
}

const newLead = (board: AskedBoard | undefined, stage?: Stage): string => {
  const begins = {
    ...(board ? { pipeline_id: board.pipeline.id } : {}),
    ...(stage ? { stage_id: stage.id } : {}),
  };
  return `/leads/new?${new URLSearchParams(begins)}`;
};

/** The next cards of a stage, without a page around them. */
export async function moreCards(c: ConsoleContext, leads: RecordKind): Promise<Response> {
  requirePermitted(c, 'lead', leads);
  const asked = new URL(c.req.url).searchParams;
  const board = askedBoard(await pipelinesOf(c), asked);
  const stage = board?.pipeline.stages.find(({ id }) => id === asked.get('stage_id'));
  if (!board || !stage) return c.notFound();
  const cursor = asked.get('cursor') ?? undefined;
  try {
    const { data, next_cursor } = await leadsIn(c, board, { stage: stage.id, limit: cardsOfMore, cursor });
    return c.html(await cards(c, board, stage, { data, next_cursor, card: cardsOf(c, board) }));
  } catch (error) {
    if (error instanceof Problem && error.code === 'INVALID_CURSOR') return c.notFound();
    throw error;
  }
}

interface Shown {
  readonly data: readonly Lead[];
  readonly next_cursor: string | null;
  card(lead: Lead): Markup;
}

/** Cards, and the way to those that follow them: a script puts these below, without one the list shows all. */
function cards(
  c: ConsoleContext,
  board: AskedBoard,
  stage: Stage,
  { data, next_cursor, card }: Shown,
): Markup {
  if (next_cursor === null) return html`${data.map(card)}`;
  const text = boardSay(c.get('language'));
  const query = boardQuery(board);
  query.set('stage_id', stage.id);
  query.set('cursor', next_cursor);
  const all = new URLSearchParams({ pipeline_id: board.pipeline.id, stage_id: stage.id, archived: 'false' });
  return html`${data.map(card)}
<p class="more"><a href="/leads?${all}" data-more="/leads/board/cards?${query}" data-label="${text('more')}">${text('allOfStage')}</a></p>`;
}

function filters(c: ConsoleContext, pipelines: readonly Pipeline[], board: AskedBoard): Markup {
  const text = boardSay(c.get('language'));
  const chooser =
    pipelines.length > 1
      ? html`<label class="visually-hidden" for="pipeline">${text('pipeline')}</label>
<select id="pipeline" name="pipeline_id" data-submit>${pipelines.map(({ id, name }) => option(id, name, id === board.pipeline.id))}</select>`
      : hiddenField('pipeline_id', board.pipeline.id);
  const whose = (isMine: boolean, said: string): Markup =>
    html`<a href="/leads/board?${boardQuery({ ...board, isMine })}"${isMine === board.isMine ? html` aria-current="true"` : ''}>${said}</a>`;
  const owners = seesAll(c)
    ? html`<span class="segments" role="group" aria-label="${text('whose')}">${whose(false, text('everybodys'))}${whose(true, text('mine'))}</span>`
    : '';
  return html`<form class="board-filters" action="/leads/board" role="search" aria-label="${text('filter')}">${chooser}${owners}
${board.isMine ? hiddenField('owner', 'mine') : ''}
<label class="visually-hidden" for="board-q">${text('find')}</label><input id="board-q" type="search" name="q" value="${board.q}" placeholder="${text('find')}">
${button(text('show'), { look: 'secondary' })}</form>`;
}

/** What a script moves cards with: a menu of the stages, the question why something was lost, and what it says. */
function movingParts(c: ConsoleContext, { pipeline }: AskedBoard, reasons: readonly Choice[]): Markup {
  const text = boardSay(c.get('language'));
  const stages = pipeline.stages.map(
    ({ id, name }) => html`<button type="button" class="secondary" value="${id}">${name}</button>`,
  );
  const needed = pipeline.require_lost_reason;
  const none = needed ? option('', '') : option('', text('noReason'));
  return html`<form id="board-move" hidden>${forgeryField(c)}</form>
<div id="stage-menu" popover role="group" aria-label="${text('moveTo')}"><p class="quiet">${text('moveTo')}</p>${stages}</div>
<dialog id="why-lost" aria-labelledby="why-lost-title"><form method="dialog"><h2 id="why-lost-title">${text('whyLost')}</h2>
<div class="field"><label for="lost-reason">${text('lostReason')}</label><select id="lost-reason" name="lost_reason_id"${needed ? html` required` : ''}>${none}${reasons.map(({ id, name }) => option(id, name))}</select></div>
<div class="field"><label for="lost-note">${text('lostNote')}</label><textarea id="lost-note" name="lost_note" rows="3" maxlength="2000"></textarea></div>
${choices(
  html`<button value="move">${text('markLost')}</button>`,
  html`<button class="secondary" value="" formnovalidate>${text('cancel')}</button>`,
)}</form></dialog>
<div class="toast" id="toast" hidden><p role="status"></p><button type="button" class="link" data-undo hidden>${text('undo')}</button><button type="button" class="link" data-close>${text('close')}</button></div>`;
}
