import type { Surface, SurfaceOperation } from './surface.ts';

/** What changed from one surface to the next, one line each. */
export interface SurfaceChanges {
  /** Zaps that there are would stop or lose values. */
  readonly breaking: readonly string[];
  /** New Zaps can do more. */
  readonly added: readonly string[];
}

const none: SurfaceChanges = { breaking: [], added: [] };
const breaking = (...lines: string[]): SurfaceChanges => ({ breaking: lines, added: [] });
const added = (...lines: string[]): SurfaceChanges => ({ breaking: [], added: lines });
const together = (changes: readonly SurfaceChanges[]): SurfaceChanges => ({
  breaking: changes.flatMap((each) => each.breaking),
  added: changes.flatMap((each) => each.added),
});

/**
 * Judges a change as Zapier does when a version is promoted (docs.zapier.com: "Planning and implementing integration
 * changes", "New platform guardrails", checks C001 to C003), and by what a mapped field would lose.
 */
export function compareSurfaces(before: Surface, after: Surface): SurfaceChanges {
  const { type } = before.authentication;
  return together([
    type === after.authentication.type
      ? none
      : breaking(`authentication: ${type} became ${after.authentication.type}`),
    compareInputs('authentication', before.authentication.fields, after.authentication.fields),
    ...(['triggers', 'creates', 'searches'] as const).map((kind) =>
      compareEach(kind, before[kind], after[kind], compareOperation),
    ),
    compareEach('searchOrCreates', before.searchOrCreates, after.searchOrCreates, (where, old, now) =>
      old === now ? none : breaking(`${where}: joins ${now} instead of ${old}`),
    ),
  ]);
}

function compareOperation(where: string, before: SurfaceOperation, after: SurfaceOperation): SurfaceChanges {
  return together([
    before.type === after.type ? none : breaking(`${where}: ${before.type} became ${after.type}`),
    !before.hidden && after.hidden ? breaking(`${where}: is hidden`) : none,
    before.hidden && !after.hidden ? added(`${where}: is shown`) : none,
    compareInputs(`${where}.inputs`, before.inputs, after.inputs),
    compareEach(`${where}.outputs`, before.outputs, after.outputs, (place, old, now) =>
      old === now ? none : breaking(`${place}: ${old} became ${now}`),
    ),
  ]);
}

const compareInputs = (
  where: string,
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): SurfaceChanges =>
  together([
    compareEach(where, before, after, compareInput),
    ...Object.entries(after)
      .filter(([key, text]) => !Object.hasOwn(before, key) && inputOf(text).required)
      .map(([key]) => breaking(`${where}.${key}: a new field is required`)),
  ]);

function compareInput(where: string, before: string, after: string): SurfaceChanges {
  const [old, now] = [inputOf(before), inputOf(after)];
  const gone = old.choices.filter((choice) => !now.choices.includes(choice));
  const more = now.choices.filter((choice) => !old.choices.includes(choice));
  const narrowed = old.choices.length === 0 && more.length > 0;
  const widened = now.choices.length === 0 && gone.length > 0;
  return together([
    old.type === now.type ? none : breaking(`${where}: ${old.type} became ${now.type}`),
    !old.required && now.required ? breaking(`${where}: became required`) : none,
    old.required && !now.required ? added(`${where}: is no longer required`) : none,
    narrowed ? breaking(`${where}: takes chosen values only`) : none,
    widened ? added(`${where}: takes any value`) : none,
    ...(widened ? [] : gone.map((choice) => breaking(`${where}: the choice ${choice} is gone`))),
    ...(narrowed ? [] : more.map((choice) => added(`${where}: the choice ${choice} is new`))),
  ]);
}

/** `string[], required: a | b` */
function inputOf(text: string): { type: string; required: boolean; choices: string[] } {
  const [, type = text, required, choices] = text.match(/^([^,:]+)(, required)?(?:: (.*))?$/s) ?? [];
  return { type, required: required !== undefined, choices: choices?.split(' | ') ?? [] };
}

/** Compares what both have; what only one has is gone or new. */
function compareEach<Value>(
  where: string,
  before: Readonly<Record<string, Value>>,
  after: Readonly<Record<string, Value>>,
  compare: (where: string, before: Value, after: Value) => SurfaceChanges,
): SurfaceChanges {
  return together([
    ...Object.entries(before).map(([key, old]) => {
      const now = after[key];
      return now === undefined ? breaking(`${where}.${key}: is gone`) : compare(`${where}.${key}`, old, now);
    }),
    added(
      ...Object.keys(after)
        .filter((key) => !Object.hasOwn(before, key))
        .map((key) => `${where}.${key}: is new`),
    ),
  ]);
}
