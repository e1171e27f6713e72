import { asciiLowerCase, type OperationDeclaration } from '@dealkeep/contract';

const articles = new Set(['a', 'an', 'the']);
const smallWords = new Set(['and', 'of', 'or', 'to', 'for', 'in', 'on', 'as']);

/** `Move a lead` → `Move Lead`. */
export const actionLabel = (operation: OperationDeclaration): string =>
  operation.title.en
    .split(' ')
    .filter((word) => !articles.has(word))
    .map((word, index) => (index > 0 && smallWords.has(word) ? word : capitalized(word)))
    .join(' ');

/** `Move a lead` → `move_lead`. */
export const actionKey = (operation: OperationDeclaration): string => keyOf(actionLabel(operation));

/** `Complete Task` → `complete_task`. */
export const keyOf = (label: string): string => asciiLowerCase(label).replaceAll(/[^a-z0-9]+/g, '_');

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
