import { type ITriggerFunctions, sleep } from 'n8n-workflow';
import { ApiFailure } from '../failure.ts';
import { nodeError } from '../node-error.ts';
import { type JsonRecord, valueAt } from '../record.ts';
import { DealkeepApi } from '../transport/request.ts';
import { workflowPatience } from '../transport/retry-delay.ts';
import { type Absence, readAbsence, reopenAbsence, writeAbsence } from './absence.ts';
import { ChangeMemory } from './change-memory.ts';
import { recordOutput } from './envelope.ts';
import { type MissedEvent, missedEvents } from './missed-events.ts';
import { runInTurn } from './run-in-turn.ts';
import { nodeKey, optionsOf } from './trigger-parameters.ts';

const longestSubscription = 60_000;

/** n8n asks again for a subscription that was refused, after pauses of some seconds. */
const longestRefusal = 10_000;

/** Items of one execution. */
const atOnce = 100;

/** How long n8n waits for the rest; it gives a publication up after a minute and a half. */
const longestWait = 20_000;

/**
 * Starts the workflow with what was created or updated while it was not published, as far as the API's lists show it,
 * the oldest first. Does nothing unless it is wanted, and there was such a time. What takes long goes on after the
 * publication, until the workflow is unpublished; the next publication then begins where this one was.
 *
 * @param failed is told when the API fails after the publication
 * @returns what ends it
 * @throws {ApiFailure} when the API fails; n8n tries again, and so does the next publication
 */
export async function catchUp(
  context: ITriggerFunctions,
  failed: (error: unknown) => void,
): Promise<() => Promise<void>> {
  const publication = { isOver: false };
  const work = bringWhatWasMissed(context, publication);
  const isDone = await Promise.race([work.then(() => true), sleep(longestWait).then(() => false)]);
  if (!isDone) {
    work.catch((error) => {
      // Nobody waits for it any more; the next publication begins there.
      if (!publication.isOver) failed(error);
    });
  }
  return async () => {
    publication.isOver = true;
  };
}

async function bringWhatWasMissed(
  context: ITriggerFunctions,
  publication: { readonly isOver: boolean },
): Promise<void> {
  const staticData = context.getWorkflowStaticData('node');
  const options = optionsOf(context);
  if (!options.catchUp) writeAbsence(staticData, undefined);
  const absence = await subscribedAgain(staticData);
  if (!absence) return;
  const api = new DealkeepApi(context, workflowPatience);
  const memory = new ChangeMemory(staticData, nodeKey(context));
  const whole =
    options.output === 'envelope' ? envelopeParts(await api.request({ method: 'GET', path: '/me' })) : {};
  const reached = { ...absence.reached };
  let found = 0;
  let waiting: MissedEvent[] = [];
  const start = async (more: 'more follows' | 'the last') => {
    const before = readAbsence(staticData);
    const outputs: JsonRecord[] = [];
    const remembered: string[] = [];
    for (const { envelope, names, at } of waiting) {
      reached[envelope.type] = at;
      // It was delivered meanwhile, or came as a new record with what was changed since.
      if (memory.isKnown(names)) continue;
      memory.remember(names, 'caught up');
      remembered.push(...names);
      outputs.push(options.output === 'envelope' ? { ...envelope.whole, ...whole } : recordOutput(envelope));
    }
    waiting = [];
    // Before the start, with which n8n keeps what the trigger remembers.
    writeAbsence(staticData, more === 'the last' ? undefined : { ...absence, reached });
    if (outputs.length === 0) return;
    try {
      await runInTurn(context, outputs);
    } catch (error) {
      memory.forget(remembered);
      writeAbsence(staticData, before);
      throw nodeError(context.getNode(), error);
    }
    found += outputs.length;
  };
  for await (const missed of missedEvents(api, context, absence, memory)) {
    if (publication.isOver) return;
    // Not before it is full: what is remembered and not brought would be lost when the API fails.
    if (waiting.length === atOnce) await start('more follows');
    if (publication.isOver) return;
    waiting.push(missed);
  }
  if (publication.isOver) return;
  await start('the last');
  context.logger.info(
    `${context.getNode().name} has caught up since ${absence.since}: ${found} created or updated`,
  );
}

/** n8n subscribes beside this, or before. Undefined when there is nothing to catch up with. */
async function subscribedAgain(staticData: { [key: string]: unknown }): Promise<Absence | undefined> {
  // Of an earlier publication.
  if (readAbsence(staticData)?.outcome === 'refused') reopenAbsence(staticData);
  const pause = 50;
  let refused = 0;
  for (let waited = 0; waited < longestSubscription; waited += pause) {
    const absence = readAbsence(staticData);
    if (!absence || refused > longestRefusal) return undefined;
    if (absence.outcome === 'subscribed') return absence;
    refused = absence.outcome === 'refused' ? refused + pause : 0;
    await sleep(pause);
  }
  throw new ApiFailure({
    message: 'The trigger was not subscribed within a minute. Publish the workflow again',
  });
}

/** What every envelope says of the organization and the API. */
function envelopeParts(me: unknown): JsonRecord {
  const [id, slug] = [valueAt(me, 'data.organization.id'), valueAt(me, 'data.organization.slug')];
  return {
    api_version: String(valueAt(me, 'data.api_version')),
    organization: { id: String(id), slug: String(slug) },
  };
}
