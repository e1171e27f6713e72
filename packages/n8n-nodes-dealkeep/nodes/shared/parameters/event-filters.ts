import { ParameterProblem } from '../failure.ts';
import { triggerFilters } from '../generated/events.ts';
import { type JsonRecord, ownValue } from '../record.ts';
import type { Field, TriggerFilter } from '../tables.ts';

/** A filter in which something is chosen. */
export interface ChosenFilter extends TriggerFilter {
  readonly values: readonly string[];
}

/**
 * What is chosen in a collection of filters, by the parameters that the triggers have, too.
 *
 * @param valuesOf what is chosen in a filter, by its label
 * @throws {ParameterProblem} when there is no such filter
 */
export const chosenIn = (
  collection: JsonRecord,
  valuesOf: (value: unknown, label: string) => readonly string[],
): ChosenFilter[] =>
  Object.entries(collection).flatMap(([parameter, value]) => {
    const offered = ownValue(triggerFilters, parameter);
    if (!offered) {
      throw new ParameterProblem(
        `Filters: "${parameter}" is no filter of events`,
        `These are: ${Object.keys(triggerFilters).join(', ')}.`,
      );
    }
    // Ids are the same in either case.
    const values = valuesOf(value, offered.label).map((each) =>
      offered.filter.endsWith('_id') ? each.toLowerCase() : each,
    );
    return values.length === 0 ? [] : [{ ...offered, values }];
  });

/** Filters as the API takes them: the status of a lead and that of an order are one filter. */
export function byApiName(chosen: readonly ChosenFilter[]): Record<string, string[]> {
  const filters: Record<string, string[]> = {};
  for (const { filter, values } of chosen) {
    filters[filter] = [...new Set([...(filters[filter] ?? []), ...values])];
  }
  return filters;
}

/**
 * The filters by the names of the API, for errors that name one: as the form calls it, or by what all are that are
 * one filter, such as the statuses of leads and of orders.
 */
export const filterFields = (): Field[] =>
  Object.entries(triggerFilters).map(([parameter, { filter, label }]) => {
    const isOne = Object.values(triggerFilters).filter((each) => each.filter === filter).length === 1;
    return {
      name: filter,
      parameter,
      label: isOne ? label : label.slice(label.lastIndexOf(' ') + 1),
      kind: 'texts',
    };
  });
