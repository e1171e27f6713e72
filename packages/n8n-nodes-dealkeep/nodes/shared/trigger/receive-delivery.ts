import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { entityFilters, events } from '../generated/events.ts';
import { idOf } from '../parameters/locator.ts';
import { isRecord, type JsonRecord } from '../record.ts';
import { readEnvelope, recordOutput } from './envelope.ts';
import { readSlot, type SlotName } from './hook-slot.ts';
import { passesFilters, type TriggerFilters } from './passes-filters.ts';
import { isRepeated } from './seen-deliveries.ts';
import { signatureProblem } from './verify-signature.ts';

/** Answers one delivery: refuses it, takes note of it, or starts the workflow with it. */
export async function receiveDelivery(context: IWebhookFunctions): Promise<IWebhookResponseData> {
  const staticData = context.getWorkflowStaticData('node');
  const slotName: SlotName = context.getMode() === 'manual' ? 'test' : 'production';
  const options = collection(context, 'options');

  if (options['verifySignature'] !== false) {
    const problem = problemOf(context, readSlot(staticData, slotName)?.secret);
    if (problem !== undefined) return refuse(context, 401, problem);
  }
  const envelope = readEnvelope(context.getBodyData());
  if (!envelope) return refuse(context, 400, 'The delivery holds no event');
  if (!passesFilters(envelope, filtersOf(context), events)) return { webhookResponse: 'Filtered out' };

  // A test listens for one event, which may be one that the published workflow has seen.
  if (options['skipDuplicates'] !== false && slotName === 'production') {
    const node = `${context.getWorkflow().id} ${context.getNode().id}`;
    if (isRepeated(staticData, node, envelope.id, Date.now())) return { webhookResponse: 'Received before' };
  }
  const output = options['output'] === 'envelope' ? envelope.whole : recordOutput(envelope);
  return { workflowData: [context.helpers.returnJsonArray([output])] };
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

function filtersOf(context: IWebhookFunctions): TriggerFilters {
  const chosen: unknown = context.getNodeParameter('events', []);
  const entries = Object.entries(entityFilters);
  return {
    events: textsOf(chosen),
    fieldsToWatch: Object.fromEntries(
      entries.flatMap(([entity, { watch }]) =>
        watch === undefined ? [] : [[entity, textsOf(context.getNodeParameter(watch, []))]],
      ),
    ),
    ids: Object.fromEntries(
      entries.map(([entity, { filters, ids }]) => [
        entity,
        filters === undefined ? {} : chosenIds(collection(context, filters), ids),
      ]),
    ),
  };
}

/** The ids that are chosen, by where the record must hold them. */
function chosenIds(values: JsonRecord, ids: Readonly<Record<string, string>>): Record<string, string> {
  const chosen: Record<string, string> = {};
  for (const [parameter, path] of Object.entries(ids)) {
    const id = idOf(values[parameter], parameter);
    if (id !== undefined) chosen[path] = id;
  }
  return chosen;
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function collection(context: IWebhookFunctions, name: string): JsonRecord {
  const value: unknown = context.getNodeParameter(name, {});
  return isRecord(value) ? value : {};
}
