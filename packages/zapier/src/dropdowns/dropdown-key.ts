import { referenceNames, referenceOf } from '@dealkeep/connectors';
import type { ReferenceName } from '@dealkeep/contract';
import { isSearchFieldKey, searchFieldKey } from '../searches/search-key.ts';

/** What fills a dropdown: the records of a reference, in forms where one may be narrowed by another field. */
export interface Dropdown {
  readonly reference: ReferenceName;
  /** Key of the field that narrows it: `pipeline_id`, or `search_pipeline_id` in a search. */
  readonly narrowedBy: string | undefined;
}

/**
 * Every dropdown that there can be. In a Find or Create the pipeline of the search and that of the new lead stand in
 * one input, so the dropdown that follows the one is not the dropdown that follows the other.
 */
export const dropdowns = (): Dropdown[] =>
  referenceNames.flatMap((reference) => {
    const { parent } = referenceOf(reference);
    const narrowing = parent === undefined ? [undefined] : [parent, searchFieldKey(parent)];
    return narrowing.map((narrowedBy) => ({ reference, narrowedBy }));
  });

/**
 * The key of the hidden trigger that fills a dropdown: `list_lead_origins`, `list_stages`, `list_stages_for_search`.
 */
export function dropdownKey({ reference, narrowedBy = '' }: Dropdown): string {
  const { list, items } = referenceOf(reference);
  const plural = items === undefined ? list.slice(0, list.indexOf('.')) : `${reference}s`;
  return `list_${plural.replaceAll('-', '_')}${isSearchFieldKey(narrowedBy) ? '_for_search' : ''}`;
}
