import { actions, type FormField, operationOf, referenceOf, searches, triggers } from '@dealkeep/connectors';
import { events } from '@dealkeep/contract';
import type { AuthenticationVariant } from './authentication/variant.ts';

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
 * The fields of a form whose records a connection can list. Where one is left out of several of which one is needed,
 * the one that remains must be filled in.
 */
export function offeredFields(variant: Reaching, fields: readonly FormField[]): FormField[] {
  const canList = ({ reference }: FormField) =>
    reference === undefined || variant.reaches(operationOf(referenceOf(reference).list).scope);
  const left = fields.filter((field) => !canList(field));
  return fields.filter(canList).map((field) => {
    const alternatives = (field.alternatives ?? []).filter((name) => name !== nameOf(field));
    const gone = left.filter((each) => alternatives.includes(nameOf(each)) && isBeside(each, field));
    const [insteadOf] = gone.length === alternatives.length ? gone : [];
    return {
      ...field,
      ...(insteadOf ? { required: true, insteadOf: insteadOf.path } : {}),
      ...(field.children ? { children: offeredFields(variant, field.children) } : {}),
    };
  });
}

const nameOf = ({ path }: FormField): string => path.at(-1) ?? '';

const isBeside = (one: FormField, other: FormField): boolean =>
  one.path.slice(0, -1).join('.') === other.path.slice(0, -1).join('.');
