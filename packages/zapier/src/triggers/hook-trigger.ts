import { type EventType, events, filtersOfEvent, isEventType } from '@dealkeep/contract';
import type { Bundle, PlainOutputField, Trigger, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { chosen } from '../forms/chosen.ts';
import { guarded } from '../guarded.ts';
import { type ApiRecord, isApiRecord, valueAt } from '../records/api-record.ts';
import { customFieldOutputs } from '../records/custom-field-outputs.ts';
import { type TriggerDeclaration, triggerKey } from './catalog.ts';
import { labelOfEntity } from './entity.ts';
import {
  changedFields,
  commonSample,
  envelopeFields,
  eventOutput,
  eventOutputFields,
  eventSample,
  schemaOf,
  tellsChanges,
} from './event-output.ts';
import { isFirstDelivery } from './first-delivery.ts';
import { subscribe, subscriptionOf, unsubscribe } from './hook-subscription.ts';
import { latestRecords } from './latest-records.ts';
import { chosenEvents, filtersOf, triggerInputFields, watchField } from './trigger-form.ts';
import { verifyDelivery } from './verify-delivery.ts';

/** An instant trigger: the Zap's own REST hook, verified deliveries, real records to test with. */
export function hookTrigger(variant: AuthenticationVariant, declaration: TriggerDeclaration): Trigger {
  const [first] = declaration.events;
  if (first === undefined) throw new Error(`The trigger "${declaration.label}" has no event.`);
  const mixed = new Set(declaration.events.map((type) => events[type].entity)).size > 1;
  const withChanges = tellsChanges(declaration.events);
  return {
    key: triggerKey(declaration),
    noun: mixed ? 'Event' : labelOfEntity(first),
    display: { label: declaration.label, description: declaration.description },
    operation: {
      type: 'hook',
      inputFields: triggerInputFields(declaration),
      performSubscribe: guarded((z: ZObject, bundle: Bundle) =>
        subscribe(
          variant,
          z,
          bundle,
          chosenEvents(declaration, bundle.inputData),
          `Zapier: ${declaration.label}`,
        ),
      ),
      performUnsubscribe: guarded((z: ZObject, bundle: Bundle) => unsubscribe(variant, z, bundle)),
      perform: guarded((z: ZObject, bundle: Bundle) => deliveredRecords(declaration, z, bundle)),
      performList: guarded((z: ZObject, bundle: Bundle) => latestRecords(variant, declaration, z, bundle)),
      sample: mixed ? commonSample(declaration.events, withChanges) : eventSample(first, withChanges),
      outputFields: mixed
        ? [guarded((z: ZObject, bundle: Bundle) => fieldsOfChosen(variant, declaration, z, bundle))]
        : [...eventOutputFields(first, withChanges), ...customFieldOutputs(variant, schemaOf(first))],
    },
  };
}

/**
 * The record of a delivery, or nothing when it is not genuine, was here before, or is not what the Zap waits for. The API
 * is not asked: what a delivery does not tell, a run does not either, however many come at once.
 */
async function deliveredRecords(
  declaration: TriggerDeclaration,
  z: ZObject,
  bundle: Bundle,
): Promise<ApiRecord[]> {
  const subscription = subscriptionOf(bundle);
  const delivery = subscription && verifyDelivery(subscription.secret, bundle.rawRequest ?? {});
  if (!delivery) {
    z.console.error('A delivery was ignored: its signature does not match this Zap.');
    return [];
  }
  const envelope = envelopeIn(delivery.content);
  const type = envelope?.['type'];
  if (envelope === undefined || typeof type !== 'string' || !isEventType(type)) {
    z.console.error('A delivery was ignored: it is no event that this version of the integration knows.');
    return [];
  }
  if (!chosenEvents(declaration, bundle.inputData).includes(type)) return [];
  if (!isWatched(declaration, envelope, bundle.inputData)) return [];
  if (!passesFilters(declaration, type, envelope, bundle.inputData)) return [];
  if (!(await isFirstDelivery(z, subscription.id, delivery.id))) return [];
  return [eventOutput(type, envelope, tellsChanges(declaration.events))];
}

/** Undefined when the content is no JSON object. */
function envelopeIn(content: string): ApiRecord | undefined {
  try {
    const envelope: unknown = JSON.parse(content);
    return isApiRecord(envelope) ? envelope : undefined;
  } catch {
    return undefined;
  }
}

function isWatched(
  declaration: TriggerDeclaration,
  envelope: ApiRecord,
  input: Record<string, unknown>,
): boolean {
  const watched = declaration.choose ? [] : chosen(input[watchField]);
  return watched.length === 0 || changedFields(envelope).some((field) => watched.includes(field));
}

function passesFilters(
  declaration: TriggerDeclaration,
  type: EventType,
  envelope: ApiRecord,
  input: Record<string, unknown>,
): boolean {
  const paths = filtersOfEvent(type);
  return filtersOf(declaration).every(({ key }) => {
    const wanted = input[key];
    if (wanted === undefined || wanted === null || wanted === '') return true;
    return String(valueAt(envelope, ['data', ...(paths[key] ?? key).split('.')])) === String(wanted);
  });
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
  const custom = firsts.flatMap((type) => customFieldOutputs(variant, schemaOf(type)));
  const fields = [
    ...firsts.flatMap((type) => eventOutputFields(type, false)),
    ...envelopeFields(true),
    ...(await Promise.all(custom.map((fieldsOf) => fieldsOf(z, bundle)))).flat(),
  ];
  return fields.filter((field, index) => fields.findIndex(({ key }) => key === field.key) === index);
}
