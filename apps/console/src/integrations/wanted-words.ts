import { CreateWebhook, eventFilters, fieldsOf } from '@dealkeep/contract';
import type { Webhook } from '@dealkeep/core/delivering';
import type { ConsoleContext } from '../context.ts';
import type { GroupedField } from '../forms/choice-controls.ts';
import { fieldLabel } from '../values/field-words.ts';
import { filterField, watchField } from './wanted-fields.ts';

/** What the records of a webhook's events are limited to: `Pipeline: Sales; Stage: Sales – Won`. */
export async function onlyWords(c: ConsoleContext, { events, filters }: Webhook): Promise<string> {
  const words: string[] = [];
  for (const name of eventFilters) {
    const values = filters?.[name] ?? [];
    const field = values.length > 0 ? await filterField(c, events, name, values) : undefined;
    if (field) words.push(`${fieldLabel(c.get('language'), field)}: ${namesOf(field, values).join(', ')}`);
  }
  return words.join('; ');
}

/** The fields of which one must have changed: `Value, Owner`. */
export function watchedWords(c: ConsoleContext, { events, changed_fields: chosen }: Webhook): string {
  const field = fieldsOf(CreateWebhook).find(({ name }) => name === 'changed_fields');
  return field && chosen ? namesOf(watchField(c, { field, types: events, chosen }), chosen).join(', ') : '';
}

/** By the names of their choices, each with what it stands in before it. */
const namesOf = ({ groups }: GroupedField, values: readonly string[]): string[] =>
  groups.flatMap(({ heading, choices }) =>
    choices
      .filter(({ id }) => values.includes(id))
      .map(({ name }) => (heading ? `${heading.name} – ${name}` : name)),
  );
