import { errorStatus, type FieldFacts } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ConsoleContext } from '../context.ts';
import { refused } from '../records/edit-routes.ts';
import { onceOf, type ShownForm } from './form-page.ts';
import { unjudged } from './received.ts';
import type { Typed } from './typed.ts';

export type Refusal = Pick<ShownForm, 'state'> & Partial<ShownForm> & { status: ContentfulStatusCode };

/** A form that was refused, with what is wrong beside its fields. Raises what whoever sent it cannot mend. */
export function refusedForm(
  c: ConsoleContext,
  fields: readonly FieldFacts[],
  typed: Typed,
  error: unknown,
): Refusal {
  if (!(error instanceof Problem) || error.code === 'NOT_FOUND' || errorStatus[error.code] >= 500)
    throw error;
  const status = errorStatus[error.code] as ContentfulStatusCode;
  return { ...refused(c, { fields }, typed, error), status };
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
