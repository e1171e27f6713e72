import { events } from '@dealkeep/contract';
import { actions } from './actions/catalog.ts';
import type { AuthenticationVariant } from './authentication/variant.ts';
import { referenceOf } from './dropdowns/dropdown-key.ts';
import type { FormField } from './forms/form-field.ts';
import { operationOf } from './registry.ts';
import { searches } from './searches/catalog.ts';
import { triggers } from './triggers/catalog.ts';

type Reaching = Pick<AuthenticationVariant, 'reaches'>;

/** The lines of the catalogs that a connection can use; a trigger keeps those of its events. */
export function offered({ reaches }: Reaching) {
  const canCall = (operation: string) => reaches(operationOf(operation).scope);
  return {
    triggers: triggers
      .map((each) => ({ ...each, events: each.events.filter((type) => reaches(events[type].scope)) }))
      .filter((each) => each.events.length > 0),
    actions: actions.filter(({ operation }) => canCall(operation)),
    searches: searches.filter(({ list }) => canCall(list)),
  };
}

/**
 * The fields of a form whose records a connection can list. `otherwise` names, by the key of a field that is left out,
 * the one that must then be filled in.
 */
export function offeredFields(
  variant: Reaching,
  fields: readonly FormField[],
  otherwise: Readonly<Record<string, string>> = {},
): FormField[] {
  const canList = ({ reference }: FormField) =>
    reference === undefined || variant.reaches(operationOf(referenceOf(reference).list).scope);
  const left = new Map(
    fields.filter((field) => !canList(field)).map(({ key, path }) => [otherwise[key], path]),
  );
  return fields.filter(canList).map((field) => {
    const insteadOf = left.get(field.key);
    return {
      ...field,
      ...(insteadOf ? { required: true, insteadOf } : {}),
      ...(field.children ? { children: offeredFields(variant, field.children, otherwise) } : {}),
    };
  });
}
