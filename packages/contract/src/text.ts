/** A text for people, in both languages of the service. */
export interface Text {
  readonly en: string;
  readonly sk: string;
}

export type Language = keyof Text;

/** `text('Name', 'Názov')`: short to write where hundreds of texts stand. */
export const text = (en: string, sk: string): Text => ({ en, sk });

/** Words of ours in small letters, to be shown. Texts are compared by `comparisonForm`. */
export const inLowerCase = (words: string): string => words.toLowerCase();

/** A label within a sentence: `REST Hooks` → `REST hooks`, lower case but for abbreviations. */
export const labelInSentence = (label: string): string =>
  label
    .split(' ')
    .map((word) => (word === word.toUpperCase() ? word : inLowerCase(word)))
    .join(' ');
