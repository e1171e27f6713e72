import {
  type AssistantOperationId,
  bareSchema,
  errorStatus,
  everyOperation,
  type OperationDeclaration,
  type OperationId,
  pathParameters,
} from '@dealkeep/contract';
import { type Answer, type Outcome, StoredJson } from '@dealkeep/core/change';
import { invalidField } from '@dealkeep/core/foundations';
import { type ExecuteOptions, execute } from '@dealkeep/core/operations';
import * as z from 'zod';
import { canonicalText } from './canonical.ts';
import { type ErrorOfCall, RefusedCall } from './refusal.ts';
import type { Arguments, Caller } from './tool.ts';

/** What an operation answered: a record, a page, or undefined where it answers nothing. */
export interface OperationAnswer {
  readonly value: unknown;
  /** It repeats what an earlier call with the same key was answered; nothing was done. */
  readonly replayed: boolean;
}

/** What a call depends on besides its arguments. */
export interface HowToRun extends Pick<ExecuteOptions, 'precondition'> {
  /** What a repeat is known by, among the keys of the credential; and whether it may get past a refusal. */
  readonly idempotency?: { readonly key: string; readonly forgetsRefusals?: boolean };
}

/**
 * Runs an operation of the API with the arguments of a tool, on the path that a request to the API takes. Raises the
 * `Problem` or the `RefusedCall` that it is refused with, or any other error for a fault.
 */
export async function runOperation(
  { core, credential, from }: Caller,
  id: OperationId | AssistantOperationId,
  given: Arguments,
  { idempotency, ...how }: HowToRun = {},
): Promise<OperationAnswer> {
  const declaration: OperationDeclaration = everyOperation[id];
  const { method } = declaration;
  const { path, query, body } = requestOf(declaration, given);
  // A repeat has the same bytes, whatever the order of its arguments.
  const bytes = Buffer.from(body === undefined ? '' : canonicalText(body));
  const answer = await execute(
    core,
    credential,
    id,
    { path, query, receive: async () => ({ bytes, parse: () => body }) },
    {
      encode,
      from,
      ...how,
      ...(idempotency && { idempotency: { ...idempotency, method, path: addressOf(declaration, path) } }),
    },
  );
  const value: unknown = answer.body === '' ? undefined : JSON.parse(answer.body);
  if (answer.status >= 400) throw new RefusedCall(value as ErrorOfCall);
  return { value, replayed: answer.replayed === true };
}

/** What became of an operation, as it is stored for a repeat; nobody but a later call reads it. */
function encode(outcome: Outcome, { noStore: declared = false }: OperationDeclaration): Answer {
  const noStore = declared !== false;
  if ('problem' in outcome) {
    const { problem } = outcome;
    return { status: errorStatus[problem.code], body: JSON.stringify(problem.body('en').error), noStore };
  }
  const { result } = outcome;
  const body = result instanceof StoredJson ? result.text : (JSON.stringify(result) ?? '');
  return { status: 200, body, noStore };
}

interface Request {
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly body: Record<string, unknown> | undefined;
}

/**
 * The request that the arguments mean: those that stand in the path, and the rest in the body or, where there is
 * none, in the query. Raises VALIDATION_ERROR for one of the path that is missing; the rest is judged by the
 * operation.
 */
export function requestOf(declaration: OperationDeclaration, given: Arguments): Request {
  const path: Record<string, string> = {};
  for (const name of Object.keys(pathParameters(declaration).shape)) {
    const value = given[name];
    if (value === undefined || value === null || value === '') throw invalidField(name, 'field.required');
    if (typeof value !== 'string') throw invalidField(name, 'field.invalid_type', { type: 'string' });
    path[name] = value;
  }
  const rest = Object.entries(given).filter(([name]) => !Object.hasOwn(path, name));
  const takesBody = declaration.method !== 'GET' && declaration.method !== 'DELETE';
  if (takesBody) return { path, query: [], body: Object.fromEntries(rest) };
  return {
    path,
    query: rest.flatMap(([name, value]) => parametersOf(declaration, name, value)),
    body: undefined,
  };
}

/** An argument as parameters of an address; null counts as left out. */
function parametersOf({ query }: OperationDeclaration, name: string, value: unknown): [string, string][] {
  if (value === undefined || value === null) return [];
  const field = query?.shape[name];
  if (field && bareSchema(field).bare instanceof z.ZodRecord && typeof value === 'object') {
    return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, textOf(each)]);
  }
  return [[name, Array.isArray(value) ? value.map(textOf).join(',') : textOf(value)]];
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

const addressOf = ({ path }: OperationDeclaration, values: Request['path']): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
