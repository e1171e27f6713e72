import { type FieldFacts, type Language, type Text, text } from '@dealkeep/contract';

/** Help of the contract that speaks to programs, in words for people. */
const help: Readonly<Record<string, Text>> = {
  delivery_address: text('Street, postal code and city.', 'Ulica, PSČ a mesto.'),
  stock_on_hand: text('Counted at this moment.', 'Aktuálny počet.'),
  stock_available: text('Not reserved by orders.', 'Nerezervované objednávkami.'),
};

/** What a field is called: what names a record is called as the record is, without `UUID`. */
export const fieldLabel = (language: Language, { description, name }: FieldFacts): string =>
  (description?.label[language] ?? name).replace(/(?: –)? UUID$/, '');

/** What is said of a field. */
export const fieldHelp = (language: Language, { description, name }: FieldFacts): string | undefined =>
  description?.help && (Object.hasOwn(help, name) ? help[name] : description.help)?.[language];

export const isNumberField = ({ type, isArray }: FieldFacts): boolean =>
  !isArray && (type === 'number' || type === 'integer');
