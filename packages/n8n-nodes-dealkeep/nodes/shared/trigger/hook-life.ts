import type { IHookFunctions } from 'n8n-workflow';
import { ParameterProblem } from '../failure.ts';
import { nodeError } from '../node-error.ts';
import { DealkeepApi } from '../transport/request.ts';
import { editorPatience } from '../transport/retry-delay.ts';
import { endAbsence, readAbsence, reopenAbsence, writeAbsence } from './absence.ts';
import { type HookSlot, readSlot, type SlotName, writeSlot } from './hook-slot.ts';
import { isSubscribed, subscribe, unsubscribe } from './subscription.ts';
import { chosenEvents, optionsOf } from './trigger-parameters.ts';

// What n8n calls when a workflow is published, tested and unpublished.

const longestName = 255;

export async function checkHook(context: IHookFunctions): Promise<boolean> {
  try {
    // n8n asks again after a refusal.
    reopenAbsence(context.getWorkflowStaticData('node'));
    const slot = ownSlot(context, slotName(context));
    const events = chosenEvents(context);
    const exists = await isSubscribed(apiOf(context), slot, addressOf(context), events);
    if (slot && !exists) {
      context.logger.info(
        `${context.getNode().name}: the subscription in Dealkeep is gone or outdated and is made anew`,
      );
    }
    if (exists) endAbsence(context.getWorkflowStaticData('node'), 'subscribed');
    return exists;
  } catch (error) {
    endAbsence(context.getWorkflowStaticData('node'), 'refused');
    throw nodeError(context.getNode(), error);
  }
}

export async function createHook(context: IHookFunctions): Promise<boolean> {
  try {
    const staticData = context.getWorkflowStaticData('node');
    const name = slotName(context);
    const title = `n8n: ${context.getWorkflow().name ?? context.getNode().name}${name === 'test' ? ' (test)' : ''}`;
    const slot = await subscribe(apiOf(context), ownSlot(context, name), {
      url: addressOf(context),
      events: chosenEvents(context),
      name: [...title].slice(0, longestName).join(''),
      owner: ownerOf(context),
    });
    writeSlot(staticData, name, slot);
    if (name === 'production') endAbsence(staticData, 'subscribed');
    return true;
  } catch (error) {
    endAbsence(context.getWorkflowStaticData('node'), 'refused');
    throw nodeError(context.getNode(), error);
  }
}

/**
 * While the API cannot be reached the hook stays behind, and the workflow is unpublished all the same. The next
 * publication finds it by its address, and the API itself removes hooks that nobody answers.
 */
export async function deleteHook(context: IHookFunctions): Promise<boolean> {
  const staticData = context.getWorkflowStaticData('node');
  try {
    const name = slotName(context);
    const slot = ownSlot(context, name);
    if (!slot) return true;
    if (name === 'production') beginAbsence(context, slot, new Date().toISOString());
    if (!(await unsubscribe(apiOf(context), slot.id))) {
      context.logger.warn(
        `${context.getNode().name}: the subscription was no longer in Dealkeep. The next publication makes a new one`,
      );
      // It may be gone for long, and nothing came since.
      if (name === 'production')
        beginAbsence(context, slot, String(staticData['lastReceived'] ?? slot.since));
    }
    writeSlot(staticData, name, undefined);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(`${context.getNode().name}: the subscription stays in Dealkeep for now: ${reason}`);
    return false;
  }
}

const apiOf = (context: IHookFunctions): DealkeepApi => new DealkeepApi(context, editorPatience);

/**
 * The subscription that this workflow has made. One that was copied with its memory, as n8n's command line does, leaves
 * that of the original alone.
 */
function ownSlot(context: IHookFunctions, name: SlotName): HookSlot | undefined {
  const slot = readSlot(context.getWorkflowStaticData('node'), name);
  return slot?.owner === ownerOf(context) ? slot : undefined;
}

const ownerOf = (context: IHookFunctions): string =>
  `${context.getInstanceId()}/${context.getWorkflow().id ?? ''}`;

/** n8n asks for a test's end in another mode than for its start, but with the test's address. */
function slotName(context: IHookFunctions): SlotName {
  const test = ownSlot(context, 'test');
  return context.getMode() === 'manual' || test?.url === addressOf(context) ? 'test' : 'production';
}

function addressOf(context: IHookFunctions): string {
  const url = context.getNodeWebhookUrl('default');
  if (url === undefined) throw new ParameterProblem('n8n gives this node no webhook address');
  return url;
}

/**
 * Remembers since when nobody listens, for catching up. What is remembered already was not caught up with: n8n asks
 * several times for one end, and a publication or the catching up may have failed.
 */
function beginAbsence(context: IHookFunctions, slot: HookSlot, now: string): void {
  if (!optionsOf(context).catchUp) return;
  const staticData = context.getWorkflowStaticData('node');
  const begun = readAbsence(staticData);
  const since = begun && begun.since < now ? begun.since : now;
  writeAbsence(staticData, { since, events: slot.events, reached: begun?.reached ?? {} });
}
