import type { IWebhookFunctions } from 'n8n-workflow';
import { ParameterProblem } from '../failure.ts';
import { entityFilters } from '../generated/events.ts';
import { idOf } from '../parameters/locator.ts';
import { isRecord, type JsonRecord } from '../record.ts';
import type { TriggerFilters } from './passes-filters.ts';

/** Every context in which n8n calls a trigger reads parameters alike. */
export type TriggerContext = Pick<IWebhookFunctions, 'getNodeParameter' | 'getNode' | 'getWorkflow'>;

/**
 * Events that start the workflow.
 *
 * @throws {ParameterProblem} when there is none
 */
export function chosenEvents(context: TriggerContext): string[] {
  const chosen = textsOf(context.getNodeParameter('events', []));
  if (chosen.length > 0) return [...new Set(chosen)];
  throw new ParameterProblem(
    'Events: nothing is chosen',
    'Choose at least one event that starts the workflow.',
  );
}

export interface TriggerOptions {
  readonly catchUp: boolean;
  readonly output: 'record' | 'envelope';
  readonly skipDuplicates: boolean;
  readonly verifySignature: boolean;
}

export function optionsOf(context: TriggerContext): TriggerOptions {
  const options = collection(context, 'options');
  return {
    catchUp: options['catchUp'] === true,
    output: options['output'] === 'envelope' ? 'envelope' : 'record',
    skipDuplicates: options['skipDuplicates'] !== false,
    verifySignature: options['verifySignature'] !== false,
  };
}

export function filtersOf(context: TriggerContext): TriggerFilters {
  const entries = Object.entries(entityFilters);
  return {
    events: textsOf(context.getNodeParameter('events', [])),
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

/** Names the node among all nodes of this n8n; workflows that were copied share node ids. */
export const nodeKey = (context: TriggerContext): string =>
  `${context.getWorkflow().id} ${context.getNode().id}`;

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

function collection(context: TriggerContext, name: string): JsonRecord {
  const value: unknown = context.getNodeParameter(name, {});
  return isRecord(value) ? value : {};
}
