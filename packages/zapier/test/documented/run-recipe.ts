import { Definition, type Operation, type Place } from '../../bin/checks/definition.ts';
import { act, findOrCreate, list, type Setting, type Values } from '../platform/setting.ts';
import { makeZap, type Output } from '../platform/zap.ts';
import { filledIn, type Inserted } from './fill-in.ts';
import type { Recipe, Step } from './read-recipes.ts';

/** What a Zap did: the output of each step of ours, and what steps of other apps were given. */
export interface Run {
  readonly outputs: ReadonlyMap<number, Output>;
  readonly handedOver: readonly string[];
}

/** What another app's trigger gives, by the labels that the page uses. */
export type OtherApp = Readonly<Record<string, unknown>>;

/**
 * Runs a Zap step by step as Zapier does. `start` makes the event that our trigger waits for, or is what the trigger
 * of another app gives. Throws what a step throws, and when a search finds nothing and cannot create.
 */
export async function runRecipe(
  setting: Setting,
  { steps }: Recipe,
  start: OtherApp | (() => Promise<unknown>),
): Promise<Run> {
  const definition = Definition.parse(await setting.platform.definition());
  const outputs = new Map<number, Output>();
  const handedOver: string[] = [];
  const inserted: Inserted = (step, label) => {
    const output = outputs.get(step);
    if (!output) throw new Error(`Step ${step} has no output to insert ${label} from.`);
    const place = placeOf(definition, steps[step - 1]);
    return place ? labelled(place.operation, output, label) : output[label];
  };
  for (const [index, step] of steps.entries()) {
    const place = placeOf(definition, step);
    const input = place ? await inputOf(setting, definition, place, step, inserted) : {};
    const output = await runStep(setting, step, place?.operation, input, start);
    if (output) outputs.set(index + 1, output);
    else handedOver.push(withInserted(step.text, inserted));
  }
  return { outputs, handedOver };
}

/** What a step's form holds: that of a search, and below it that of the record which it creates, in one. */
async function inputOf(
  setting: Setting,
  definition: Definition,
  place: Place,
  step: Step,
  inserted: Inserted,
): Promise<Values> {
  const input = await filledIn(setting, place.where, step.fields, inserted);
  if (step.toCreate.length === 0) return input;
  const create = definition.searchOrCreates[place.operation.key]?.create;
  if (!create) throw new Error(`${step.operation} creates nothing.`);
  return { ...input, ...(await filledIn(setting, `creates.${create}`, step.toCreate, inserted)) };
}

async function runStep(
  setting: Setting,
  step: Step,
  place: Operation | undefined,
  input: Values,
  start: OtherApp | (() => Promise<unknown>),
): Promise<Output | undefined> {
  if (!place) return step.kind === 'Trigger' && typeof start === 'object' ? start : undefined;
  if (step.kind === 'Action') return act(setting, place.key, input);
  if (step.kind === 'Search') {
    if (step.operation?.startsWith('Find or Create')) return findOrCreate(setting, place.key, input);
    const [found] = await list(setting, `searches.${place.key}`, input);
    if (!found) throw new Error(`${step.operation}: nothing.`);
    return found;
  }
  if (typeof start !== 'function') throw new Error('Our own trigger waits for an event.');
  const zap = makeZap(setting.platform, setting.receiver, setting.connection, place.key, input);
  await zap.turnOn();
  await start();
  const [output] = await zap.runs(await zap.delivery());
  await zap.turnOff();
  if (!output) throw new Error(`${step.operation} did not start.`);
  return output;
}

/** Our operation by the name that the page gives it; undefined for a step of another app. */
function placeOf(definition: Definition, step: Step | undefined): Place | undefined {
  if (step?.operation === undefined) return undefined;
  const kind = ({ Trigger: 'triggers', Search: 'searches', Action: 'creates' } as const)[step.kind];
  const pair = Object.entries(definition.searchOrCreates).find(
    ([, { display }]) => display.label === step.operation,
  );
  const found = Object.entries(definition[kind]).find(
    ([key, { display }]) => key === pair?.[0] || display.label === step.operation,
  );
  if (!found) throw new Error(`There is no ${step.kind} "${step.operation}".`);
  return { where: `${kind}.${found[0]}`, operation: found[1] };
}

/** A value of an output by its label, as the editor offers it. */
function labelled({ operation, key }: Operation, output: Output, label: string): unknown {
  const field = operation.outputFields.find((each) => typeof each !== 'string' && each.label === label);
  if (!field || typeof field === 'string') throw new Error(`${key} offers no "${label}".`);
  return field.key.split('__').reduce<unknown>((value, part) => Object(value)[part], output);
}

const withInserted = (text: string, inserted: Inserted): string =>
  text.replaceAll(/\{\{(\d+)\. (.+?)\}\}/g, (_, step: string, label: string) => {
    const value = inserted(Number(step), label);
    if (value === undefined || value === null || value === '') throw new Error(`${label} is empty.`);
    return String(value);
  });
