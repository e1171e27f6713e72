import { errorStatus, type Lead, operations } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { permissionsFor } from '@dealkeep/core/identity';
import { runAsUser } from '@dealkeep/core/operations';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { requirePermitted } from '../../auth/permitted.ts';
import { type ConsoleContext, receivedForm, sessionOf } from '../../context.ts';
import { fieldWords, problemWords } from '../../problem-words.ts';
import { askedBoard, pipelinesOf, totalsOf } from './asked-board.ts';
import { cardsOf, nameOf } from './board-card.ts';
import { boardSay } from './board-texts.ts';

/** What the script of a board is told after it moved a card. */
interface Answer {
  /** What is said to the user. */
  readonly said: string;
  /** Where the lead stands by now; absent where it is no longer on the board. */
  readonly stage_id?: string;
  /** The card as it is by now. */
  readonly card?: string;
  /** What stands above the columns by now. */
  readonly totals?: Readonly<Record<string, string>>;
  /** The fields of the move that takes this one back. */
  readonly undo?: Readonly<Record<string, string>>;
}

/** A lead can change while it is looked at; whoever moves it meets so many changes at most. */
const tries = 5;

/**
 * Moves the card of a board, and tells its script what came of it. A card that stands elsewhere by now stays there.
 */
export async function moveCard(c: ConsoleContext, id: string): Promise<Response> {
  requirePermitted(c, 'lead', { permissions: permissionsFor(operations['leads.move']) });
  const text = boardSay(c.get('language'));
  const form = await receivedForm(c);
  const from = form.get('from') ?? '';
  const because = Object.fromEntries(
    ['lost_reason_id', 'lost_note'].flatMap((name) => (form.get(name) ? [[name, form.get(name)]] : [])),
  );
  const body = { stage_id: form.get('stage_id') ?? '', ...because };
  try {
    for (let attempt = 1; ; attempt += 1) {
      const lead = await runAsUser(c.get('core'), sessionOf(c), 'leads.get', { path: { id } });
      if (lead.archived_at !== null) return c.json<Answer>({ said: text('gone') }, 409);
      const name = nameOf(c, lead);
      const stage = lead.stage?.name ?? '';
      if (lead.stage?.id !== from) {
        return c.json<Answer>(
          { said: text('movedMeanwhile', { name, stage }), ...(await now(c, lead)) },
          409,
        );
      }
      try {
        const unchangedSince = lead.updated_at ?? '';
        const moved = await runAsUser(c.get('core'), sessionOf(c), 'leads.move', {
          path: { id },
          body,
          unchangedSince,
        });
        const said = text('moved', { name, stage: moved.stage?.name ?? '' });
        return c.json<Answer>({ said, ...(await now(c, moved)), undo: wayBack(lead, moved) });
      } catch (error) {
        // Somebody changed it since it was read; whether they moved it is seen when it is read again.
        const isChanged = error instanceof Problem && error.key === 'record.changed';
        if (isChanged && attempt < tries) continue;
        if (!(error instanceof Problem) || errorStatus[error.code] >= 500) throw error;
        const said = text('stays', { name, reason: reasonOf(c, error) });
        return c.json<Answer>({ said, ...(await now(c, lead)) }, statusOf(error));
      }
    }
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'NOT_FOUND') throw error;
    return c.json<Answer>({ said: text('gone') }, 404);
  }
}

const statusOf = ({ code }: Problem): ContentfulStatusCode => errorStatus[code];

function reasonOf(c: ConsoleContext, problem: Problem): string {
  const language = c.get('language');
  const ofFields = problem.ofFields.map((each) => fieldWords(language, each)).join(' ');
  return ofFields || problemWords(language, problem);
}

/** Where a lead stands, and the totals of the board that the card was moved on. */
async function now(c: ConsoleContext, lead: Lead): Promise<Partial<Answer>> {
  const pipelines = await pipelinesOf(c);
  const asked = new URLSearchParams((await receivedForm(c)).get('board') ?? '');
  const board = askedBoard(pipelines, asked);
  if (!board || !lead.stage) return {};
  const card = String(await cardsOf(c, board)(lead));
  return { stage_id: lead.stage.id, card, totals: Object.fromEntries(await totalsOf(c, board)) };
}

function wayBack(before: Lead, moved: Lead): Record<string, string> {
  return {
    from: moved.stage?.id ?? '',
    stage_id: before.stage?.id ?? '',
    ...(before.lost_reason ? { lost_reason_id: before.lost_reason.id } : {}),
    ...(before.lost_note ? { lost_note: before.lost_note } : {}),
  };
}
