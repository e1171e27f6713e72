import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type ErrorCode, errorStatus, type FieldFacts } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ConsoleContext } from '../context.ts';
import { page } from '../frame/page.ts';
import { alert, linkButton } from '../markup.ts';
import { problemWords } from '../problem-words.ts';
import { onceOf, type ShownForm } from './form-page.ts';
import { explain, unjudged } from './received.ts';
import { formSay } from './texts.ts';
import type { Typed } from './typed.ts';

const tries = 50;
const lookedAgainMs = 100;

/** Carries a form out. While another sending of the same form runs, waits for what that one makes. */
export async function once<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const running = error instanceof Problem && error.code === 'IDEMPOTENCY_IN_PROGRESS';
      if (!running || attempt === tries) throw error;
      await setTimeout(lookedAgainMs);
    }
  }
}

const mendable: ReadonlySet<string> = new Set<ErrorCode>([
  'VALIDATION_ERROR',
  'CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
  // Once there is room.
  'LIMIT_EXCEEDED',
]);

/** Whether a form that was refused can be mended by whoever sent it, or sent again as it is. */
export const isMendable = (error: unknown): error is Problem =>
  error instanceof Problem && mendable.has(error.code);

/**
 * Stands for what a form showed, where its record has no moment of its last change: another tab may have changed it
 * since.
 */
export const versionOf = (shown: unknown): string =>
  createHash('sha256').update(JSON.stringify(shown)).digest('base64url');

export type Refusal = Pick<ShownForm, 'state'> & Partial<ShownForm> & { status: ContentfulStatusCode };

/** What was typed, with what is wrong beside it. A form whose token stands for another sending gets a new one. */
export function refused(
  c: ConsoleContext,
  { fields }: { readonly fields: readonly FieldFacts[] },
  typed: Typed,
  problem: Problem,
): Pick<ShownForm, 'state'> & Partial<ShownForm> {
  const { problems, others } = explain(c.get('language'), { fields, typed }, problem);
  const reused = problem.code === 'IDEMPOTENCY_KEY_REUSED';
  return {
    state: { ...unjudged(fields, typed), problems },
    alerts: others,
    ...(reused ? {} : { once: onceOf(typed) }),
  };
}

export const statusOf = ({ code }: Problem): ContentfulStatusCode => errorStatus[code];

/** A form that was refused, with what is wrong beside its fields. Raises what whoever sent it cannot mend. */
export function refusedForm(
  c: ConsoleContext,
  fields: readonly FieldFacts[],
  typed: Typed,
  error: unknown,
): Refusal {
  if (!(error instanceof Problem) || error.code === 'NOT_FOUND' || errorStatus[error.code] >= 500)
    throw error;
  return { ...refused(c, { fields }, typed, error), status: statusOf(error) };
}

/** A form that begins with these values. */
export const beginningWith = (fields: readonly FieldFacts[], typed: Typed = new Map()): ShownForm['state'] =>
  unjudged(fields, typed);

/** The key by which a form counts once for whoever sends it; undefined when its token is missing. */
export function formKey(typed: Typed): string | undefined {
  const key = onceOf(typed);
  return key === '' || key.length > 100 ? undefined : key;
}

/** Says that a record's state does not allow a step, and leads back to it. */
export function stepConflictPage(
  c: ConsoleContext,
  { back, problem }: { back: string; problem?: Problem },
): Promise<Response> {
  const language = c.get('language');
  const text = formSay(language);
  const title = text('refusedTitle');
  const sentence = problem ? problemWords(language, problem) : text('notPossibleNow');
  const content = html`<h1>${title}</h1>${alert(sentence)}<p>${linkButton(back, text('back'))}</p>`;
  return page(c, { title, content }, 409);
}
