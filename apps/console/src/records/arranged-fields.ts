import type { FieldFacts } from '@dealkeep/contract';
import type { FormSection } from '../forms/form-sections.ts';
import type { Section } from './presentation.ts';

/** The fields that sections name, where there are such, without sections that have none. */
function filled(sections: readonly Section[], fields: readonly FieldFacts[]): FormSection[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  return sections
    .map((section) => ({ ...section, fields: section.fields.flatMap((name) => byName.get(name) ?? []) }))
    .filter((section) => section.fields.length > 0);
}

/** Those that no section names: new ones of the contract. */
function unplaced(sections: readonly FormSection[], fields: readonly FieldFacts[]): FieldFacts[] {
  const placed = new Set(sections.flatMap((section) => section.fields));
  return fields.filter((field) => !placed.has(field));
}

/** The fields of a form by its sections; what is seldom filled in, and what no section names, stands folded away. */
export function formSections(
  sections: readonly Section[],
  more: readonly string[],
  fields: readonly FieldFacts[],
): FormSection[] {
  const near = filled(sections, fields);
  const far = filled([{ fields: more }], fields);
  const folded = [...far, { fields: unplaced([...near, ...far], fields) }].flatMap((each) => each.fields);
  return folded.length > 0 ? [...near, { fields: folded, isFolded: true }] : near;
}

/** The fields of a record's page by its sections; what no section names stands in the last one. */
export function pageSections(sections: readonly Section[], fields: readonly FieldFacts[]): FormSection[] {
  const known = filled(sections, fields);
  const [last, ...others] = known.toReversed();
  const rest = unplaced(known, fields);
  return last ? [...others.toReversed(), { ...last, fields: [...last.fields, ...rest] }] : [{ fields: rest }];
}
