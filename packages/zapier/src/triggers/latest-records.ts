import { type EventType, events, stateLeftBy } from '@dealkeep/contract';
import type { Bundle, ZObject } from 'zapier-platform-core';
import type { AuthenticationVariant } from '../authentication/variant.ts';
import { bodyOf } from '../forms/body-of.ts';
import { chosen } from '../forms/chosen.ts';
import type { ApiRecord } from '../records/api-record.ts';
import { operationOn } from '../registry.ts';
import { pageIn } from '../requests/answer.ts';
import { callApi } from '../requests/call-api.ts';
import { wholeRecord } from '../requests/whole-record.ts';
import type { TriggerDeclaration } from './catalog.ts';
import { envelopeFor, eventOutput, eventSample, tellsChanges } from './event-output.ts';
import { chosenEvents, filtersOf, watchField } from './trigger-form.ts';

/** The editor shows the newest of them; a few let the user pick one that has the fields filled in. */
const recordsPerEvent = 3;
const mostEvents = 3;

/** The latest real records in the form of deliveries, to test a trigger with; the sample where there are none. */
export async function latestRecords(
  variant: AuthenticationVariant,
  declaration: TriggerDeclaration,
  z: ZObject,
  bundle: Bundle,
): Promise<ApiRecord[]> {
  const types = chosenEvents(declaration, bundle.inputData).slice(0, mostEvents);
  const outputs = await Promise.all(types.map((type) => latestOf(variant, declaration, type, z, bundle)));
  return outputs.flat();
}

async function latestOf(
  variant: AuthenticationVariant,
  declaration: TriggerDeclaration,
  type: EventType,
  z: ZObject,
  bundle: Bundle,
): Promise<ApiRecord[]> {
  const { entity, category } = events[type];
  const withChanges = tellsChanges(declaration.events);
  const list = operationOn(entity, 'list');
  if (!list) return [eventSample(type, withChanges)];
  const filters = filtersOf(declaration);
  const limit = declaration.choose ? 1 : recordsPerEvent;
  const sort = category === 'created' ? '-created_at' : '-updated_at';
  const listed = await callApi(variant, z, bundle, {
    operation: list,
    query: { ...stateLeftBy(type, new Date()), ...bodyOf(filters, bundle.inputData), sort, limit },
    fields: filters,
  });
  // As deliveries hold them.
  const run = { variant, z, bundle };
  const records = await Promise.all(pageIn(listed).items.map((item) => wholeRecord(run, entity, item)));
  if (records.length === 0) return [eventSample(type, withChanges)];
  const watched = declaration.choose ? [] : chosen(bundle.inputData[watchField]);
  return records.map((record) => eventOutput(type, envelopeFor(type, record, watched), withChanges));
}
