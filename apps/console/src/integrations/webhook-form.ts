import {
  CreateWebhook,
  type EventType,
  eventFilters,
  events,
  eventTypes,
  type FieldFacts,
  fieldsOf,
  isEventType,
  type Language,
  resources,
} from '@dealkeep/contract';
import type { WebhookInFull } from '@dealkeep/core/delivering';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { typedOf } from '../forms/body.ts';
import type { GroupedField } from '../forms/choice-controls.ts';
import { searchName } from '../forms/choices.ts';
import { fieldsMarkup } from '../forms/field-markup.ts';
import { changing, type FormState } from '../forms/labelled-control.ts';
import { firstOf, readingOf, type Typed } from '../forms/typed.ts';
import type { Markup } from '../markup.ts';
import { integrationSay } from './texts.ts';
import { filterField, filtersFor, watchedFor, watchField } from './wanted-fields.ts';

const eventChoices = Object.fromEntries(eventTypes.map((type) => [type, events[type].label]));

/** The events are ticked in a list; the contract takes any text, so that it can say which is unknown. */
export const withEventChoices = (field: FieldFacts): FieldFacts => ({
  ...field,
  values: eventTypes,
  description: field.description && { ...field.description, choices: eventChoices },
});

/** By what they are about; `lead.*` stands for every event of leads. */
const eventGroups = [...new Set(eventTypes.map((type) => events[type].entity))].map((entity) => ({
  entity,
  all: `${entity}.*`,
  values: eventTypes.filter((type) => events[type].entity === entity),
}));

function eventsField(field: FieldFacts, language: Language): GroupedField {
  const groups = eventGroups.map(({ entity, all, values }) => ({
    heading: { id: all, name: resources[entity].label[language] },
    all,
    choices: values.map((type) => ({ id: type, name: events[type].label[language] })),
  }));
  return { ...withEventChoices(field), groups };
}

/** With the events of each group that was ticked as a whole. */
export function withWholeGroups(typed: Typed): Typed {
  const ticked = typed.get('events') ?? [];
  const whole = eventGroups.filter(({ all }) => ticked.includes(all));
  if (whole.length === 0) return typed;
  const single = ticked.filter((value) => !whole.some(({ all }) => all === value));
  const meant = new Set([...single, ...whole.flatMap(({ values }) => values)]);
  return new Map([...typed, ['events', [...meant]]]);
}

const eventsIn = (typed: Typed): EventType[] =>
  (withWholeGroups(typed).get('events') ?? []).filter(isEventType);

const asked = fieldsOf(CreateWebhook);
/** They depend on the events, so they stand right below them. */
const wanted = ['filters', 'changed_fields'];
const fixed = asked.filter(({ name }) => !wanted.includes(name));

/** The form of a webhook for the events that are chosen in it. */
export interface WebhookForm {
  /** What the page asks for. */
  readonly shown: readonly FieldFacts[];
  /** With what the webhook wants so far, though these events do not have it and it is not ticked any more. */
  readonly all: readonly FieldFacts[];
}

/**
 * Offers what all chosen events have. What is ticked although one of them lacks it stays in sight, so that it can be
 * said and taken out.
 *
 * @param before what the form of a change showed at first
 */
export async function webhookForm(
  c: ConsoleContext,
  typed: Typed,
  before: Typed = new Map(),
): Promise<WebhookForm> {
  const types = eventsIn(typed);
  const isTicked = (name: string): boolean => valuesIn(typed, name).length > 0;
  const offered: readonly string[] = filtersFor(types);
  const named = new Set([...offered, ...filtersIn(before), ...filtersIn(typed)]);
  const filters: FieldFacts[] = [];
  for (const name of eventFilters.filter((each) => named.has(each))) {
    const path = `filters.${name}`;
    const field = await filterField(
      c,
      types,
      name,
      [...valuesIn(before, path), ...valuesIn(typed, path)],
      firstOf(typed, searchName(path)).trim(),
    );
    if (field) filters.push(field);
  }
  const seen = filters.filter(({ name }) => offered.includes(name) || isTicked(`filters.${name}`));
  const watchable = watchedFor(types).length > 0 || isTicked('changed_fields');
  const watched = (field: FieldFacts, ...forms: Typed[]): FieldFacts =>
    watchField(c, { field, types, chosen: forms.flatMap((each) => valuesIn(each, 'changed_fields')) });
  return {
    shown: fieldsFor(c, {
      filters: (field) => (seen.length > 0 ? [{ ...field, fields: seen }] : []),
      changed_fields: (field) => (watchable ? [watched(field, typed)] : []),
    }),
    all: fieldsFor(c, {
      filters: (field) => [{ ...field, fields: filters }],
      changed_fields: (field) => [watched(field, before, typed)],
    }),
  };
}

type Filling = Readonly<Record<string, (field: FieldFacts) => FieldFacts[]>>;

function fieldsFor(c: ConsoleContext, filling: Filling): FieldFacts[] {
  const after = asked
    .filter(({ name }) => wanted.includes(name))
    .flatMap((field) => filling[field.name]?.(field) ?? []);
  return fixed.flatMap((field): FieldFacts[] => {
    if (field.name === 'events') return [eventsField(field, c.get('language')), ...after];
    // Without the contract's help, which says that a hook is named by its key: here a user names it.
    if (field.name !== 'name' || !field.description) return [field];
    const { help: _, ...description } = field.description;
    return [{ ...field, description }];
  });
}

const valuesIn = (typed: Typed, name: string): string[] =>
  (typed.get(name) ?? []).filter((value) => value !== '');

const filterPath = /^filters\.(\w+)$/;
const filtersIn = (typed: Typed): string[] =>
  [...typed.keys()].flatMap((path) =>
    valuesIn(typed, path).length > 0 ? (filterPath.exec(path)?.[1] ?? []) : [],
  );

/** The form that shows a webhook as it is; headers without their values: one that is left empty stays. */
export const typedOfWebhook = (
  c: ConsoleContext,
  { headers, filters, changed_fields, ...webhook }: WebhookInFull,
): Typed =>
  new Map([
    ...typedOf(fixed, { ...webhook, headers: headers.map(({ name }) => ({ name })) }, readingOf(c)),
    ...Object.entries(filters ?? {}).map(([name, values]) => [`filters.${name}`, values] as const),
    ...(changed_fields ? [['changed_fields', changed_fields] as const] : []),
  ]);

/** The fields, and below the events the button that offers what they can be limited to. */
export async function webhookFields(c: ConsoleContext, state: FormState): Promise<Markup> {
  const shown: Markup[] = [];
  for (const field of state.fields) {
    shown.push(...(await fieldsMarkup(c, state, [field])));
    if (field.name === 'events') shown.push(limitButton(c, state));
  }
  return html`${shown}`;
}

function limitButton(c: ConsoleContext, { typed }: FormState): Markup {
  const text = integrationSay(c.get('language'));
  const types = eventsIn(typed);
  const has = filtersFor(types).length + watchedFor(types).length > 0;
  const said = types.length === 0 ? 'filtersLater' : has ? 'filtersBelow' : 'noFilters';
  // Whoever pressed the button goes on here.
  const focus = firstOf(typed, 'do') === 'find' ? html` tabindex="-1" role="status" autofocus` : '';
  return html`<div class="field">${changing(text('showFilters'), 'find')}<p class="help"${focus}>${text(said)}</p></div>`;
}
