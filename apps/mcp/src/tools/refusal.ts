import { isOfMovingOrganization, isTemporaryFailure, Problem } from '@dealkeep/core/foundations';
import type { CallToolResult } from '@modelcontextprotocol/server';

/** What the body of an error of the API says, without what belongs to HTTP. */
export type ErrorOfCall = ReturnType<Problem['body']>['error'];

/** A call that was refused before, with the same idempotency key. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
  readonly refusal: ErrorOfCall;

  constructor(refusal: ErrorOfCall) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** The problem that an error means to whoever called; undefined for a fault of ours, which the caller logs. */
export function refusalOf(error: unknown): ErrorOfCall {
  if (error instanceof RefusedCall) return error.refusal;
  if (error instanceof Problem) return error.body('en').error;
  if (isOfMovingOrganization(error)) return new Problem('organization.moving').body('en').error;
  return new Problem(isTemporaryFailure(error) ? 'service.unavailable' : 'service.fault').body('en').error;
}

/** Whether an error is one that the caller can do something about. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Problem || error instanceof RefusedCall;

/**
 * What the model is told of a call that was refused: what is wrong, field by field, so that it can mend the call.
 */
export function refusedResult({ code, message, detail }: ErrorOfCall): CallToolResult {
  const { fields, ...rest } = Object(detail);
  const lines = Array.isArray(fields)
    ? fields.map((field: { path: string; message: string }) => `- ${field.path}: ${field.message}`)
    : [];
  const more = Object.keys(rest).length > 0 ? [JSON.stringify(rest)] : [];
  return {
    isError: true,
    content: [{ type: 'text', text: [`${code}: ${message}`, ...lines, ...more].join('\n') }],
  };
}
