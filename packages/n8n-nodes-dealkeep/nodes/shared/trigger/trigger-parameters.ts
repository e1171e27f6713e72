import type { IWebhookFunctions } from 'n8n-workflow';
import { authenticationOf } from '../authentication.ts';
import { ParameterProblem } from '../failure.ts';
import { triggerEventOptions } from '../generated/constants.ts';
import { events } from '../generated/events.ts';
import { triggerDescription } from '../generated/trigger-description.ts';
import { byApiName, type ChosenFilter, chosenIn } from '../parameters/event-filters.ts';
import { isRecord, type JsonRecord } from '../record.ts';

/** Every context in which n8n calls a trigger reads parameters alike. */
export type TriggerContext = Pick<IWebhookFunctions, 'getNodeParameter' | 'getNode' | 'getWorkflow'>;

/** What a subscription asks for, in the API's words. */
export interface Subscribed {
  readonly events: readonly string[];
  /** By the API's names: values of which the record must have one. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** Fields of which one must have changed in an update; empty for any. */
  readonly changedFields: readonly string[];
}

/** What starts the workflow. */
export interface Wanted extends Subscribed {
  /**
   * Whether a move was chosen as one with an update: what changes a record and moves it starts the workflow once.
   */
  readonly asOne: boolean;
}

/**
 * What the parameters choose.
 *
 * @throws {ParameterProblem} when nothing is chosen, and when an event lacks what it is filtered by
 */
export function wantedOf(context: TriggerContext): Wanted {
  const choices = chosenEvents(context);
  const chosen = distinct(choices.flat());
  const filters = chosenFilters(context);
  for (const { filter, label } of filters) {
    const lacking = chosen.find((type) => events[type]?.filters?.[filter] === undefined);
    if (lacking !== undefined) {
      throw notTold(`Filters → ${label}: ${eventName(lacking)} cannot be filtered by it`);
    }
  }
  const watches = chosen.flatMap((type) => events[type]?.watch ?? []);
  const watched = distinct(watches.flatMap((name) => textsOf(context.getNodeParameter(name, []))));
  for (const type of chosen) {
    const isSingle = choices.some((types) => types.length === 1 && types.includes(type));
    const told = watchable(events[type]?.watch, isSingle);
    const missing = told && watched.find((field) => !told.includes(field));
    if (missing !== undefined) throw notTold(`Fields to Watch: ${eventName(type)} has no field ${missing}`);
  }
  return {
    events: distinct(choices.flatMap((types) => watchedEvents(types, watched))),
    filters: byApiName(filters),
    changedFields: watched.filter((field) => chosen.every((type) => events[type]?.moves !== field)),
    asOne: choices.some((types) => movedField(types) !== undefined),
  };
}

/** The field of a record that tells of a move, where the move was chosen as one with other events. */
const movedField = (types: readonly string[]): string | undefined =>
  types.length > 1
    ? types.map((type) => events[type]?.moves).find((field) => field !== undefined)
    : undefined;

/** Of events that were chosen as one those that tell of a watched change. */
function watchedEvents(types: readonly string[], watched: readonly string[]): readonly string[] {
  const moved = movedField(types);
  if (moved === undefined || watched.length === 0) return types;
  return types.filter((type) => {
    const { watch, moves } = events[type] ?? {};
    if (moves !== undefined) return watched.includes(moved);
    return watch === undefined || watched.some((field) => field !== moved);
  });
}

export const chosenFilters = (context: TriggerContext): ChosenFilter[] =>
  chosenIn(collection(context, 'filters'), textsOf);

const notTold = (message: string): ParameterProblem =>
  new ParameterProblem(
    message,
    'Take out the event or the choice, or use a trigger of its own for each kind of record.',
  );

/** The events that start the workflow, those of each choice: one can stand for several. */
function chosenEvents(context: TriggerContext): string[][] {
  const chosen = textsOf(context.getNodeParameter('events', [])).map((value) => value.split(','));
  if (chosen.length === 0) {
    throw new ParameterProblem(
      'Events: nothing is chosen',
      'Choose at least one event that starts the workflow.',
    );
  }
  if (!chosen.flat().includes('*')) return chosen;
  const isReached = ([, { keyOnly }]: [string, { keyOnly?: true }]) =>
    !(keyOnly && authenticationOf(context) === 'oAuth2');
  return Object.entries(events)
    .filter(isReached)
    .map(([type]) => [type]);
}

/** An event as its dropdown calls it. */
export const eventName = (type: string): string =>
  triggerEventOptions.find(({ value }) => value === type)?.name ?? type;

/** The fields that a parameter offers to watch; of a single update those that are always shown. */
function watchable(parameter: string | undefined, isSingle: boolean): string[] | undefined {
  const property = triggerDescription.find(({ name }) => name === parameter);
  return property?.options?.flatMap((option) =>
    'value' in option && !(isSingle && option.displayOptions) ? [String(option.value)] : [],
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

/** Names the node among all nodes of this n8n; workflows that were copied share node ids. */
export const nodeKey = (context: TriggerContext): string =>
  `${context.getWorkflow().id} ${context.getNode().id}`;

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

function collection(context: TriggerContext, name: string): JsonRecord {
  const value: unknown = context.getNodeParameter(name, {});
  return isRecord(value) ? value : {};
}
