import type { Check } from './check.ts';
import { outputFieldsOf, visibleOperations } from './definition.ts';

/** Not ids of records here: numbers of the world outside, and the event's own. */
const outside = /(^|__|\[\])(registration|tax|vat|external|event)_id$/;
/**
 * The API tells nothing else of a product's category, and of whom an order belongs to; a search finds these by their
 * ids.
 */
const nameless = new Set(['category_uuid', 'client_uuid', 'company_uuid', 'invoice_uuid']);

export const relatedChecks: readonly Check[] = [
  {
    // Not a code of Zapier's: an id alone says nothing to people, and most other services ask for names.
    code: 'RELATED',
    promise: 'the id of another record stands beside its name',
    findings: (definition) =>
      visibleOperations(definition).flatMap(({ where, operation }) => {
        const keys = outputFieldsOf(operation).map(({ key }) => key);
        return keys
          .filter((key) => !outside.test(key) && !nameless.has(key))
          .filter((key) => namesFor(key).length > 0 && !namesFor(key).some((name) => keys.includes(name)))
          .map((key) => `${where}.${key}`);
      }),
  },
];

/** Where the name of the record can stand that an id names; none for the id of the record itself. */
function namesFor(key: string): string[] {
  const [, inside = '', related] = key.match(/^(.*(?:__|\[\]))?(?:([a-z_]+)_)?(?:id|uuid)$/) ?? [];
  if (related)
    return [`${inside}${related}_name`, `${inside}${related}_number`, ...(inside ? [`${inside}name`] : [])];
  return inside ? [`${inside}name`] : [];
}
