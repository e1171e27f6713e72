/**
 * Zapier hands the search and the action of a Find or Create one and the same input. The fields of a search have
 * keys that no action has: what is meant for a new record would narrow the search otherwise, and make a second
 * record.
 */
const prefix = 'search_';

/** The key of the field that searches by a parameter of a list: `search_email`. */
export const searchFieldKey = (name: string): string => `${prefix}${name}`;

export const isSearchFieldKey = (key: string): boolean => key.startsWith(prefix);
