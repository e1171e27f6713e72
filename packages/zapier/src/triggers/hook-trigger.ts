import {
  type ApiRecord,
  chosenEvents,
  deliveredEvent,
  eventOutputFields,
  filtersOf,
  givenOn,
  isMixed,
  labelOfResource,
  latestRecords,
  resolveInput,
  runOfEvent,
  subscribe,
  subscriptionIn,
  type TriggerDeclaration,
  toldBy,
  triggerKey,
  triggerSample,
  unsubscribe,
} from '@dealkeep/connectors';
import { type EventType, events } from '@dealkeep/contract';
import type { Bundle, PlainOutputField, Trigger, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { guarded } from '../guarded.ts';
import { customFieldOutputs } from '../records/custom-field-outputs.ts';
import { apiFor } from '../requests/call-api.ts';
import { isFirstDelivery } from './first-delivery.ts';
import { triggerInputFields } from './trigger-form.ts';

/** An instant trigger: the Zap's own REST hook, verified deliveries, real records to test with. */
export function hookTrigger(variant: AuthenticationVariant, declaration: TriggerDeclaration): Trigger {
  const [first] = declaration.events;
  if (first === undefined) throw new Error(`The trigger "${declaration.label}" has no event.`);
  const mixed = isMixed(declaration);
  const told = toldBy(declaration);
  return {
    key: triggerKey(declaration),
    noun: mixed ? 'Event' : labelOfResource(events[first].entity),
    display: { label: declaration.label, description: declaration.description },
    operation: {
      type: 'hook',
      inputFields: triggerInputFields(declaration),
      performSubscribe: guarded(async (z: ZObject, bundle: Bundle) =>
        subscribe(apiFor(variant, z, bundle), {
          targetUrl: bundle.targetUrl ?? '',
          name: `Zapier: ${declaration.label}`,
          declaration,
          input: await inputOf(variant, declaration, z, bundle),
        }),
      ),
      performUnsubscribe: guarded((z: ZObject, bundle: Bundle) => endHook(variant, z, bundle)),
      perform: guarded((z: ZObject, bundle: Bundle) => deliveredRecords(declaration, z, bundle)),
      performList: guarded(async (z: ZObject, bundle: Bundle) => {
        const input = await inputOf(variant, declaration, z, bundle);
        return latestRecords(apiFor(variant, z, bundle), declaration, input);
      }),
      sample: triggerSample(declaration),
      outputFields: mixed
        ? [guarded((z: ZObject, bundle: Bundle) => fieldsOfChosen(variant, declaration, z, bundle))]
        : [...eventOutputFields(first, told), ...customFieldOutputs(variant, givenOn(first, told))],
    },
  };
}

/** What was filled in, with the tags that a filter names. */
const inputOf = (
  variant: AuthenticationVariant,
  declaration: TriggerDeclaration,
  z: ZObject,
  bundle: Bundle,
) =>
  resolveInput(
    apiFor(variant, z, bundle),
    filtersOf(declaration, bundle.inputData),
    bundle.inputData,
    'each item',
  );

/** Removes the hook of a Zap. */
async function endHook(
  variant: AuthenticationVariant,
  z: ZObject,
  bundle: Bundle,
): Promise<Record<string, never>> {
  const subscription = subscriptionIn(bundle.subscribeData);
  if (subscription) await unsubscribe(apiFor(variant, z, bundle), subscription.id);
  return {};
}

/**
 * The record of a delivery, or nothing when it is not genuine, was here before, or is not what the Zap waits for.
 * The API is not asked: what a delivery does not tell, a run does not either, however many come at once.
 */
async function deliveredRecords(
  declaration: TriggerDeclaration,
  z: ZObject,
  bundle: Bundle,
): Promise<ApiRecord[]> {
  const subscription = subscriptionIn(bundle.subscribeData);
  const event = subscription && deliveredEvent(subscription.secret, bundle.rawRequest ?? {});
  if (!subscription || event === undefined || event === 'not genuine') {
    z.console.error('A delivery was ignored: its signature does not match this Zap.');
    return [];
  }
  if (event === 'unknown event') {
    z.console.error('A delivery was ignored: it is no event that this version of the integration knows.');
    return [];
  }
  const run = runOfEvent(declaration, bundle.inputData, event);
  return run && (await isFirstDelivery(z, subscription.id, event.id)) ? [run] : [];
}

/** The output of a trigger for several events has the fields of all that are chosen. */
async function fieldsOfChosen(
  variant: AuthenticationVariant,
  declaration: TriggerDeclaration,
  z: ZObject,
  bundle: Bundle,
): Promise<PlainOutputField[]> {
  const types: EventType[] = chosenEvents(declaration, bundle.inputData);
  // Events of one kind of record have the same fields.
  const firsts = types.filter(
    (type, index) => types.findIndex((other) => events[other].entity === events[type].entity) === index,
  );
  const told = toldBy(declaration, bundle.inputData);
  const custom = firsts.flatMap((type) => customFieldOutputs(variant, givenOn(type, told)));
  const fields = [
    ...firsts.flatMap((type) => eventOutputFields(type, told)),
    ...(await Promise.all(custom.map((fieldsOf) => fieldsOf(z, bundle)))).flat(),
  ];
  return fields.filter((field, index) => fields.findIndex(({ key }) => key === field.key) === index);
}
