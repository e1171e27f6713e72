import { isRecordName, labelInSentence, type OperationDeclaration, records } from '@dealkeep/contract';

/** Whether an operation is one on records that its resource declares. */
export const isAboutRecords = ({ resource }: OperationDeclaration): boolean => isRecordName(resource);

/** `a vehicle`, of the resource `vehicle`. */
export function singular(resource: string): string {
  const label = isRecordName(resource) ? labelInSentence(records[resource].label.en) : resource;
  return `${/^[aeiou]/i.test(label) ? 'an' : 'a'} ${label}`;
}

/** `a vehicle`, of `Update a vehicle`. */
export const objectOf = ({ title }: OperationDeclaration): string => title.en.replace(/^\S+ /, '');

/** `Retires a vehicle`, of `Retire a vehicle`. */
export const thirdPerson = (order: string): string =>
  order.replace(/^\S+/, (verb) =>
    /(?:s|x|z|ch|sh)$/.test(verb)
      ? `${verb}es`
      : /[^aeiou]y$/.test(verb)
        ? `${verb.slice(0, -1)}ies`
        : `${verb}s`,
  );

/** `Vehicle Retired`, of `Vehicle retired`. */
export const titleCase = (words: string): string =>
  words.replaceAll(/(^|\s)(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase());
