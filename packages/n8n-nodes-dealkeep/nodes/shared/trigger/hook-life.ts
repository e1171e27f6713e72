import type { IHookFunctions } from 'n8n-workflow';
import { requireFilterValues } from '../choices/filter-values.ts';
import { ParameterProblem } from '../failure.ts';
import { nodeError } from '../node-error.ts';
import { editorPatience } from '../transport/patience.ts';
import { DealkeepApi } from '../transport/request.ts';
import { beginAbsence, forgetAbsence } from './catch-up.ts';
import { type HookSlot, readSlot, type SlotName, writeSlot } from './hook-slot.ts';
import { NodeMemory } from './node-memory.ts';
import { isSubscribed, subscribe, unsubscribe } from './subscription.ts';
import { chosenFilters, optionsOf, wantedOf } from './trigger-parameters.ts';

// What n8n calls when a workflow is published, tested and unpublished.

const longestName = 255;

export async function checkHook(context: IHookFunctions): Promise<boolean> {
  try {
    const slot = ownSlot(context, slotName(context));
    if (!optionsOf(context).catchUp) forgetAbsence(new NodeMemory(context));
    const wanted = wantedOf(context);
    const api = apiOf(context);
    await requireFilterValues(api, chosenFilters(context));
    const exists = await isSubscribed(api, slot, addressOf(context), wanted);
    if (slot && !exists) {
      context.logger.info(
        `${context.getNode().name}: the subscription in Dealkeep is gone or outdated and is made anew`,
      );
    }
    return exists;
  } catch (error) {
    throw nodeError(context.getNode(), error);
  }
}

export async function createHook(context: IHookFunctions): Promise<boolean> {
  try {
    const name = slotName(context);
    const title = `n8n: ${context.getWorkflow().name ?? context.getNode().name}${name === 'test' ? ' (test)' : ''}`;
    const slot = await subscribe(apiOf(context), ownSlot(context, name), {
      url: addressOf(context),
      wanted: wantedOf(context),
      name: [...title].slice(0, longestName).join(''),
      owner: ownerOf(context),
      resume: name !== 'test',
    });
    writeSlot(new NodeMemory(context), name, slot);
    return true;
  } catch (error) {
    throw nodeError(context.getNode(), error);
  }
}

/**
 * While the API cannot be reached the hook stays behind, and the workflow is unpublished all the same. The next
 * publication finds it by its address, and the API itself removes hooks that nobody answers.
 */
export async function deleteHook(context: IHookFunctions): Promise<boolean> {
  const memory = new NodeMemory(context);
  try {
    const name = slotName(context);
    const slot = ownSlot(context, name);
    if (!slot) return true;
    if (name === 'production' && optionsOf(context).catchUp) beginAbsence(memory, slot);
    if (!(await unsubscribe(apiOf(context), slot.id))) {
      context.logger.warn(
        `${context.getNode().name}: the subscription was no longer in Dealkeep. The next publication makes a new one`,
      );
    }
    writeSlot(memory, name, undefined);
    return true;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.logger.warn(`${context.getNode().name}: the subscription stays in Dealkeep for now: ${reason}`);
    return false;
  }
}

const apiOf = (context: IHookFunctions): DealkeepApi => new DealkeepApi(context, editorPatience);

/**
 * The subscription that this workflow has made. One that was copied with its memory, as n8n's command line does,
 * leaves that of the original alone.
 */
function ownSlot(context: IHookFunctions, name: SlotName): HookSlot | undefined {
  const slot = readSlot(new NodeMemory(context), name);
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
