import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isRecord } from '../record.ts';
import { isBehind, noteReceived, readMissed } from './catch-up.ts';
import { type Envelope, isStarting, outputOf, readEnvelope } from './envelope.ts';
import type { FeedReading } from './feed.ts';
import { readSlot, type SlotName } from './hook-slot.ts';
import { type Memory, NodeMemory } from './node-memory.ts';
import { isRepeated } from './seen-deliveries.ts';
import { nodeKey, optionsOf, type TriggerOptions, type Wanted, wantedOf } from './trigger-parameters.ts';
import { signatureProblem } from './verify-signature.ts';

/** What a delivery that was accepted is answered with; Dealkeep shows it in the log of deliveries. */
const answers = {
  started: 'Started the workflow',
  notChosen: 'Filtered out',
  repeated: 'Received before',
  later: 'Comes behind what was missed',
};

/** Answers one delivery: refuses it, takes note of it, or starts the workflow with it and with what was missed. */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const memory = new NodeMemory(context);
  const slotName: SlotName = context.getMode() === 'manual' ? 'test' : 'production';
  const options = optionsOf(context);

  if (options.verifySignature) {
    const problem = problemOf(context, readSlot(memory, slotName)?.secret);
    if (problem !== undefined) return refuse(context, 401, problem);
  }
  const envelope = readEnvelope(context.getBodyData());
  if (!envelope) return refuse(context, 400, 'The delivery holds no event');
  // What is wanted, Dealkeep has decided; a subscription that was left behind may bring others.
  const wanted = wantedOf(context);
  if (!isStarting(envelope, wanted)) return { webhookResponse: answers.notChosen };
  // A test listens for one event, which may be one that the published workflow has seen.
  if (slotName === 'test') return start(context, options, [envelope]);

  const missed =
    options.catchUp && isBehind(memory) ? await missedBefore(context, memory, wanted) : undefined;
  // What happened now comes behind what was missed, in its turn.
  const events = [...(missed?.events ?? []), ...(missed?.hasMore ? [] : [envelope])];
  const isNew = ({ id }: Envelope) => !isRepeated(memory, nodeKey(context), id, Date.now());
  const fresh = options.skipDuplicates || options.catchUp ? events.filter(isNew) : events;
  if (options.catchUp) for (const event of fresh) noteReceived(memory, event);
  if (fresh.length > 0) return start(context, options, fresh);
  return { webhookResponse: missed?.hasMore ? answers.later : answers.repeated };
}

/** Undefined when it cannot be read now: it comes with the next delivery, and this one is live all the same. */
async function missedBefore(
  context: IWebhookFunctions,
  memory: Memory,
  wanted: Wanted,
): Promise<Pick<FeedReading, 'events' | 'hasMore'> | undefined> {
  try {
    return await readMissed(context, memory, wanted);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(
      `${context.getNode().name} cannot catch up now, and tries again with the next event: ${reason}`,
    );
    return undefined;
  }
}

/**
 * Starts the workflow. The answer is given here: n8n then keeps the node's memory before the workflow starts. Where
 * n8n gives it, after the start, it forgets by then that the memory has changed, and every event would come anew.
 */
function start(
  context: IWebhookFunctions,
  options: TriggerOptions,
  events: readonly Envelope[],
): IWebhookResponseData {
  context.getResponseObject().status(200).send(answers.started);
  return {
    noWebhookResponse: true,
    workflowData: [context.helpers.returnJsonArray(events.map((event) => outputOf(event, options)))],
  };
}

function problemOf(context: IWebhookFunctions, secret: string | undefined): string | undefined {
  if (secret === undefined) return 'The workflow has no subscription. Publish it again';
  const headers = context.getHeaderData();
  const header = (name: string) => {
    const value = isRecord(headers) ? headers[name] : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const body = context.getRequestObject().rawBody ?? Buffer.alloc(0);
  return signatureProblem({ header, body }, secret, Date.now);
}

function refuse(context: IWebhookFunctions, status: number, reason: string): IWebhookResponseData {
  context.logger.warn(`${context.getNode().name} refused a delivery: ${reason}`);
  context.getResponseObject().status(status).json({ error: reason });
  return { noWebhookResponse: true };
}
