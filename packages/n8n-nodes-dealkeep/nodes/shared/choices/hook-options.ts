import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { events } from '../generated/events.ts';
import { triggerDescription } from '../generated/trigger-description.ts';

// A hook that a workflow makes is limited as a trigger is, by the same dropdowns.

/**
 * The filters of the triggers. Where events need not be chosen, because the hook has some already, those are hidden
 * that a chosen event lacks.
 *
 * @param chosen the path of the parameter in which events are chosen
 */
export const filterOptions = (chosen: string): INodeProperties[] =>
  optionsOf('filters').flatMap((filter) => {
    if (!('type' in filter)) return [];
    const known = filter.displayOptions?.show?.['/events'] ?? [];
    if (chosen === '/events') return [filter];
    const lacking = Object.keys(events).filter((type) => !known.includes(type));
    return [{ ...filter, displayOptions: { hide: { [chosen]: lacking } } }];
  });

/**
 * The fields that an update can name as changed, of every kind of record. One that a chosen update lacks is hidden:
 * each has to have all of them.
 *
 * @param chosen the path of the parameter in which events are chosen
 */
export function watchOptions(chosen: string): INodePropertyOptions[] {
  const updates = Object.entries(events).flatMap(([type, { watch }]) =>
    watch === undefined ? [] : [{ type, fields: watched(watch) }],
  );
  const all = new Map(updates.flatMap(({ fields }) => fields.map((field) => [field.value, field])));
  return [...all.values()]
    .sort((one, other) => one.name.localeCompare(other.name))
    .map((field) => {
      const lacking = updates.filter(({ fields }) => fields.every(({ value }) => value !== field.value));
      return { ...field, displayOptions: { hide: { [chosen]: lacking.map(({ type }) => type) } } };
    });
}

/** What the triggers offer to watch, without what only their groups of events tell of. */
const watched = (parameter: string): INodePropertyOptions[] =>
  optionsOf(parameter).flatMap((option) => ('value' in option && !option.displayOptions ? [option] : []));

const optionsOf = (parameter: string): NonNullable<INodeProperties['options']> =>
  triggerDescription.find(({ name }) => name === parameter)?.options ?? [];
