import type { FormField } from '../forms/form-field.ts';

/** The field of a form that an error is about. */
export interface FailingField {
  /** As the person sees it: `Items 1, Unit Price`. */
  readonly label: string;
  /** A record is chosen in it. */
  readonly isChosen?: boolean;
  /** The error is about another field, which is not offered; this one is asked for instead. */
  readonly isMissing?: boolean;
}

/** Finds the field that stands for a path of the API: `items[0].unit_price`, `company.email`, `stage_id`. */
export function failingField(path: string, fields: readonly FormField[]): FailingField {
  const [, list = '', line = '', rest = ''] = path.match(/^(.+?)\[(\d+)\]\.(.+)$/) ?? [];
  const items = fields.find((field) => field.children && field.path.join('.') === list);
  if (items) {
    const inner = failingField(rest, items.children ?? []);
    return { ...inner, label: `${items.label} ${Number(line) + 1}, ${inner.label}` };
  }
  const plain = path.replaceAll(/\[\d+\]/g, '').replace(/^(\w+)\[(.+)\]$/, '$1.$2');
  const field = fields.find((each) => each.path.join('.') === plain);
  if (field) return { label: field.label, isChosen: field.reference !== undefined };
  const instead = fields.find((each) => each.insteadOf?.join('.') === plain);
  if (instead) return { label: instead.label, isMissing: true };
  return { label: labelOfParts(plain, fields) ?? titleOf(plain) };
}

/** What is wrong with an object as a whole is told of its group: `company` is `Company`. */
function labelOfParts(path: string, fields: readonly FormField[]): string | undefined {
  const part = fields.find((field) => field.path.join('.').startsWith(`${path}.`));
  return part?.jsonAt ? part.label.slice(0, part.label.lastIndexOf(' ')) : part?.group?.label;
}

/** A path that no field has, such as that of a list's parent: `company_id` is `Company`. */
const titleOf = (path: string): string =>
  path
    .replace(/_(id|uuid)$/, '')
    .replaceAll(/[._]/g, ' ')
    .replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
