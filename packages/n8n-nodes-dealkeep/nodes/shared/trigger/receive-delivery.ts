import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { events } from '../generated/events.ts';
import { isRecord } from '../record.ts';
import { answers } from './answers.ts';
import { ChangeMemory, changeNames } from './change-memory.ts';
import { type Envelope, readEnvelope, recordOutput } from './envelope.ts';
import { readSlot, type SlotName } from './hook-slot.ts';
import { passesFilters } from './passes-filters.ts';
import { isRepeated } from './seen-deliveries.ts';
import { filtersOf, nodeKey, optionsOf } from './trigger-parameters.ts';
import { signatureProblem } from './verify-signature.ts';

/** Answers one delivery: refuses it, takes note of it, or starts the workflow with it. */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const staticData = context.getWorkflowStaticData('node');
  const slotName: SlotName = context.getMode() === 'manual' ? 'test' : 'production';
  const options = optionsOf(context);

  if (options.verifySignature) {
    const problem = problemOf(context, readSlot(staticData, slotName)?.secret);
    if (problem !== undefined) return refuse(context, 401, problem);
  }
  const envelope = readEnvelope(context.getBodyData());
  if (!envelope) return refuse(context, 400, 'The delivery holds no event');
  if (!passesFilters(envelope, filtersOf(context), events)) return { webhookResponse: answers.filtered };

  // A test listens for one event, which may be one that the published workflow has seen.
  if (slotName === 'production') {
    const repeated =
      options.skipDuplicates && isRepeated(staticData, nodeKey(context), envelope.id, Date.now());
    if (repeated || (options.catchUp && isCaughtUp(context, envelope))) {
      return { webhookResponse: answers.repeated };
    }
  }
  const output = options.output === 'envelope' ? envelope.whole : recordOutput(envelope);
  return { workflowData: [context.helpers.returnJsonArray([output])] };
}

/** Whether catching up brought already what is delivered; remembers it for the next time when not. */
function isCaughtUp(context: IWebhookFunctions, { type, data }: Envelope): boolean {
  const staticData = context.getWorkflowStaticData('node');
  staticData['lastReceived'] = new Date().toISOString();
  const event = events[type];
  if (!event?.catchUp) return false;
  const memory = new ChangeMemory(staticData, nodeKey(context));
  const names = changeNames(event, String(data[event.catchUp.id]), data);
  if (memory.isCaughtUp(names)) return true;
  memory.remember(names, 'delivered');
  return false;
}

function problemOf(context: IWebhookFunctions, secret: string | undefined): string | undefined {
  if (secret === undefined) return 'The workflow has no subscription. Publish it again';
  const headers = context.getHeaderData();
  const header = (name: string): string => {
    const value = isRecord(headers) ? headers[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const delivery = {
    id: header('webhook-id'),
    timestamp: header('webhook-timestamp'),
    signature: header('webhook-signature'),
    body: context.getRequestObject().rawBody ?? Buffer.alloc(0),
  };
  return signatureProblem(delivery, secret, new Date());
}

function refuse(context: IWebhookFunctions, status: number, reason: string): IWebhookResponseData {
  context.logger.warn(`${context.getNode().name} refused a delivery: ${reason}`);
  context.getResponseObject().status(status).json({ error: reason });
  return { noWebhookResponse: true };
}
