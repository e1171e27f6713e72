import { errorStatus, type FieldFacts } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ConsoleContext } from '../context.ts';
import { onceOf, type ShownForm } from './form-page.ts';
import { explain, unjudged } from './received.ts';
import type { Typed } from './typed.ts';

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

/**
 * Makes a form count once for whoever sends it; nothing when its token is missing. Passwords are left out of what two
 * sendings are compared by: a hash of it is kept, and it would be one that is quick to guess by.
 */
export const onceBy = (person: string, typed: Typed, fields: readonly FieldFacts[] = []) => {
  const key = onceOf(typed);
  const passwords = fields.filter(({ description }) => description?.password).map(({ name }) => name);
  const input = [...typed].filter(([name]) => name !== 'csrf_token' && !passwords.includes(name));
  return key === '' || key.length > 100 ? undefined : { person, key, input };
};
