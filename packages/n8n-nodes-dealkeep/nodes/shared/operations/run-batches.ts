import type { IExecuteFunctions } from 'n8n-workflow';
import { ApiFailure, ParameterProblem } from '../failure.ts';
import { itemsPerRequest } from '../generated/limits.ts';
import { isRecord } from '../record.ts';
import { notAnAnswer } from '../transport/describe-failure.ts';
import type { DealkeepApi } from '../transport/request.ts';
import { partsOf, type ReadItem, type Ready } from './batch-parts.ts';
import { idempotencyKeys } from './idempotency-key.ts';
import { ofTheOthers } from './of-the-others.ts';
import { type Failed, type Outcome, runAlone } from './run-alone.ts';
import { labelledFields, namedRecord, taskOf } from './run-operation.ts';

/**
 * Does with items what the API has a batch for, in parts. All items are read before the first part is sent, so that
 * a workflow that stops at a value which cannot be meant has changed nothing.
 */
export async function* runBatches(
  context: IExecuteFunctions,
  api: DealkeepApi,
  items: readonly number[],
): AsyncGenerator<Outcome, void, void> {
  const stops = !context.continueOnFail();
  const read: ReadItem[] = [];
  for (const item of items) {
    const each = await readItem(context, api, item);
    if (stops && 'error' in each) {
      yield beforeAnything(each);
      return;
    }
    read.push(each);
  }
  for (const part of partsOf(read)) {
    const outcomes = await runPart(context, api, part);
    const failed = outcomes.find((each) => 'error' in each);
    if (stops && failed) yield withTheOthers(failed, outcomes, items.length);
    yield* outcomes;
  }
}

async function readItem(context: IExecuteFunctions, api: DealkeepApi, item: number): Promise<ReadItem> {
  try {
    const task = taskOf(context, api, item);
    const { batch } = task.operation;
    if (!batch) return { item, alone: true };
    return { item, task, batch, body: { ...task.parameters.chosen(), ...(await task.parameters.body()) } };
  } catch (error) {
    return { item, error };
  }
}

/** Sends what can be sent of a part, and tells of its items in their order. */
async function runPart(
  context: IExecuteFunctions,
  api: DealkeepApi,
  part: readonly ReadItem[],
): Promise<Outcome[]> {
  const sent = await send(
    context,
    api,
    part.filter((each) => 'task' in each),
  );
  const outcomes = new Map(sent.map((outcome) => [outcome.item, outcome]));
  return Promise.all(
    part.map((each) =>
      'error' in each ? each : (outcomes.get(each.item) ?? runAlone(context, api, each.item)),
    ),
  );
}

async function send(
  context: IExecuteFunctions,
  api: DealkeepApi,
  entries: readonly Ready[],
  isAnew = false,
): Promise<Outcome[]> {
  const [first] = entries;
  if (!first) return [];
  const { batch, task } = first;
  const { idempotencyKey, keyAnew } = idempotencyKeys(context, first.item, entries.length);
  const keys =
    isAnew || keyAnew === undefined
      ? { idempotencyKey: keyAnew ?? idempotencyKey }
      : { idempotencyKey, keyAnew };
  let isReplay = false;
  let answer: unknown;
  try {
    answer = await api.request({
      method: 'POST',
      path: batch.path,
      body: { operation: batch.operation, items: entries.map(({ body }) => body) },
      fields: labelledFields(task.operation),
      ...keys,
      onReplay: () => {
        isReplay = true;
      },
      counts: Math.ceil(entries.length / itemsPerRequest),
    });
  } catch (error) {
    // The organization may have a limit that lets fewer items pass in a minute; nothing of the batch was done.
    if (entries.length > 1 && error instanceof ApiFailure && error.fields.includes('items')) {
      const half = Math.ceil(entries.length / 2);
      return [
        ...(await send(context, api, entries.slice(0, half), isAnew)),
        ...(await send(context, api, entries.slice(half), isAnew)),
      ];
    }
    return entries.map(({ item }) => ({ item, error }));
  }
  const results = isRecord(answer) && Array.isArray(answer['data']) ? answer['data'] : [];
  const outcomes = entries.map((entry, index) => outcomeOf(api, entry, results[index]));
  // In a retry of an execution the items that failed before may succeed now; the others are done.
  const again =
    isReplay && keys.keyAnew ? entries.filter((_, index) => 'error' in Object(outcomes[index])) : [];
  const anew = new Map((await send(context, api, again, true)).map((outcome) => [outcome.item, outcome]));
  return outcomes.map((outcome) => anew.get(outcome.item) ?? outcome);
}

/** One item's result, which is what the operation alone would have been answered. */
function outcomeOf(api: DealkeepApi, { item, task }: Ready, result: unknown): Outcome {
  if (!isRecord(result)) return { item, error: notAnAnswer() };
  if (isRecord(result['data'])) return { item, records: [task.shape(result['data'])] };
  const known = { fields: labelledFields(task.operation), ...namedRecord(task.operation) };
  return { item, error: api.failureOf(Number(result['status']), result, known) };
}

function beforeAnything({ item, error }: Failed): Failed {
  if (!(error instanceof ParameterProblem)) return { item, error };
  const { message, description = '' } = error;
  const nothingSent = 'Nothing was sent: all items are read before the first batch.';
  return { item, error: new ParameterProblem(message, `${description} ${nothingSent}`.trim()) };
}

function withTheOthers({ item, error }: Failed, part: readonly Outcome[], items: number): Failed {
  if (!(error instanceof ApiFailure)) return { item, error };
  const description = `${error.description ?? ''} ${ofTheOthers(error, part, items)}`.trim();
  return { item, error: error.saying({ description }) };
}
