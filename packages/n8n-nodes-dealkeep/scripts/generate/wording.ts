import { labelInSentence } from '@dealkeep/contract';

// Turns the contract's texts into the forms that n8n's UX rules and its linter ask for.

const smallWords = new Set([
  'a',
  'an',
  'and',
  'as',
  'at',
  'by',
  'for',
  'from',
  'in',
  'of',
  'on',
  'or',
  'the',
  'to',
  'with',
]);

/** `postal_code`, `lead-origin` → `postalCode`, `leadOrigin`. */
export const camelCase = (name: string): string =>
  name.replace(/[-_]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** `Lead created` → `Lead Created`; words that hold capitals already stay (`VAT ID`). */
export function titleCase(text: string): string {
  const words = text.split(' ');
  const stays = (word: string, index: number) =>
    index > 0 && index < words.length - 1 && smallWords.has(word);
  return words.map((word, index) => (stays(word, index) ? word : capitalized(word))).join(' ');
}

/** `no-show` → `No-Show`. */
const capitalized = (word: string): string =>
  word
    .split('-')
    .map((part, index) =>
      index > 0 && smallWords.has(part) ? part : part.charAt(0).toUpperCase() + part.slice(1),
    )
    .join('-');

/** `Get Many REST hooks` → `Get many REST hooks`. */
export const sentenceCase = (text: string): string => {
  const lower = labelInSentence(text);
  return lower.charAt(0).toUpperCase() + lower.slice(1);
};

/** One sentence stands without a full stop, several with one. */
export function description(...sentences: (string | undefined)[]): string | undefined {
  const text = sentences
    .filter((sentence) => sentence !== undefined && sentence !== '')
    .map((sentence) => `${sentence}`.replace(/\.$/, ''))
    .join('. ');
  if (text === '') return undefined;
  return text.includes('. ') ? `${text}.` : text;
}

/** The words that n8n's linter wants to see on every dropdown of several choices that is loaded. */
export const dynamicMultiOptions =
  'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>';
