import { hash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { limits, type OperationId } from '@dealkeep/contract';
import { invalidField, Problem } from '@dealkeep/core/foundations';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { canonicalText } from './canonical.ts';
import { type HowToRun, type OperationAnswer, runOperation } from './run-operation.ts';
import type { ObjectSchema } from './schema.ts';
import type { Arguments, Call } from './tool.ts';

/** An operation that makes a record, and the tool that does it. */
export interface Making {
  readonly id: OperationId;
  readonly tool: string;
  /** What it answered, as the model is shown it. */
  show(answer: OperationAnswer): CallToolResult;
}

/** The arguments of a tool that makes a record. */
export const keyedInput = (schema: ObjectSchema): ObjectSchema => ({
  ...schema,
  properties: {
    ...schema.properties,
    idempotency_key: {
      type: 'string',
      maxLength: limits.idempotencyKeyLength,
      description:
        'Leave it out. Another one for each makes a second record with the same arguments on purpose.',
    },
  },
});

/** Makes a record; the same call again, as assistants make it that were not answered, makes no second one. */
export async function onceOnly(
  call: Call,
  { id, tool, show }: Making,
  { idempotency_key: key, ...given }: Arguments,
): Promise<CallToolResult> {
  const answer = await whenFree(call, () => runOperation(call, id, given, keyOf(tool, given, key)));
  const { content, ...shown } = show(answer);
  if (!answer.replayed) return { content, ...shown };
  const repeated =
    key === undefined
      ? `Nothing new was made: the same call was made within ${limits.idempotencyRetentionHours} hours, and this is the record that it made. To make a second one on purpose, call again with an idempotency_key of your choice.`
      : `Nothing new was made: this idempotency_key was used within ${limits.idempotencyRetentionHours} hours, and this is the record that was made. To make another one on purpose, call again with another idempotency_key.`;
  return { ...shown, content: [{ type: 'text', text: repeated }, ...content] };
}

/**
 * Apart from the keys that the credential sends to the API itself. A call without a key is known by its arguments;
 * what was refused may be tried again with the same ones, because what was missing may be there then.
 */
function keyOf(tool: string, given: Arguments, key: unknown): HowToRun {
  if (key === undefined || key === null) {
    return once(`assistant:call:${digest(canonicalText([tool, given]))}`);
  }
  if (typeof key !== 'string')
    throw invalidField('idempotency_key', 'field.invalid_type', { type: 'string' });
  if (key === '') throw invalidField('idempotency_key', 'field.empty');
  if (key.length > limits.idempotencyKeyLength) {
    throw invalidField('idempotency_key', 'field.too_long', { max: limits.idempotencyKeyLength });
  }
  return once(`assistant:key:${digest(key)}`);
}

const once = (key: string): HowToRun => ({ idempotency: { key, forgetsRefusals: true } });

const digest = (text: string): string => hash('sha256', text, 'base64url');

/** How long the same call is waited for that is on its way. */
const waitsMs = [50, 100, 200, 400, 800, 1600];

/**
 * Runs it, once more where the same call is on its way already. Raises IDEMPOTENCY_IN_PROGRESS where that takes
 * long.
 */
export async function whenFree<Result>(call: Call, run: () => Promise<Result>): Promise<Result> {
  for (const wait of waitsMs) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'IDEMPOTENCY_IN_PROGRESS') throw error;
    }
    await setTimeout(wait, undefined, { signal: call.context.mcpReq.signal });
  }
  return run();
}
