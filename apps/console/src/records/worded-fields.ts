import { asciiLowerCase, type FieldFacts, type Text, text } from '@dealkeep/contract';

/** What all kinds have, as people call it. */
const commonLabels: Readonly<Record<string, Text>> = {
  updated_at: text('Changed', 'Zmenené'),
  updated_since: text('Changed since', 'Zmenené od'),
  updated_before: text('Changed before', 'Zmenené pred'),
  email: text('E-mail', 'E-mail'),
  registration_id: text('Registration no.', 'IČO'),
  tax_id: text('Tax no.', 'DIČ'),
  vat_id: text('VAT no.', 'IČ DPH'),
};

/** `Due date` of the contract's `Due Date`, `Paid` of `Paid At`; abbreviations stay as they are. */
const asSentence = (label: string): string =>
  label.replace(/ At$/, '').replace(/(?<=.)\b[A-Z](?=[a-z])/g, asciiLowerCase);

/**
 * The facts of fields with what people call them: the only place where labels of a kind come from, so that a list, a
 * form, a filter, a step and a page call a field the same.
 */
export const wordedFields = (
  fields: readonly FieldFacts[],
  labels: Readonly<Record<string, Text>> = {},
  prefix = '',
): readonly FieldFacts[] =>
  fields.map((field) => {
    const { name, description, fields: inner } = field;
    const path = `${prefix}${name}`;
    const given = labels[path] ?? (prefix === '' ? commonLabels[name] : undefined);
    const { en, sk } = description?.label ?? text(name, name);
    const label = given ?? text(asSentence(en), sk);
    return {
      ...field,
      description: { ...description, label },
      fields: wordedFields(inner, labels, `${path}.`),
    };
  });
