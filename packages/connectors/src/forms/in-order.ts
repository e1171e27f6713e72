import type { FormField } from './form-field.ts';
import { parentField } from './record-field.ts';

/**
 * The fields of a form with what narrows a dropdown right before it, also where the API has no such field, and not
 * with others that came between them.
 */
export function inOrder(fields: readonly FormField[]): FormField[] {
  const whole = withParents(fields);
  const placeOf = (key: string | undefined) => whole.findIndex((field) => field.key === key);
  const follows = ({ key, dependsOn }: FormField) =>
    dependsOn !== undefined && placeOf(dependsOn) >= 0 && placeOf(key) > placeOf(dependsOn);
  return whole
    .filter((field) => !follows(field))
    .flatMap((field) => [field, ...whole.filter((child) => follows(child) && child.dependsOn === field.key)]);
}

function withParents(fields: readonly FormField[]): FormField[] {
  const keys = new Set(fields.map((field) => field.key));
  return fields.flatMap((field) => {
    if (field.dependsOn === undefined || keys.has(field.dependsOn)) return [field];
    keys.add(field.dependsOn);
    const parent = parentField(field.dependsOn, field.label);
    return parent ? [parent, field] : [field];
  });
}
