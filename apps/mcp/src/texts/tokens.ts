/** What an answer that lists something costs a model at most, in its text and in its structured content each. */
export const mostTokens = 2000;

/**
 * How many tokens a text takes, rather too many than too few: each model counts them by another table, and none is
 * worth carrying along.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [part] of text.matchAll(parts)) tokens += tokensOf(part);
  return Math.ceil(tokens * margin);
}

const margin = 1.1;
const parts = /[A-Za-z]+|\d+|\s+|[!-/:-@[-`{-~]+|[^\s!-~]+/gu;

function tokensOf(part: string): number {
  const { length } = part;
  if (/^[A-Za-z]/.test(part)) return isWord(part) ? Math.max(1, length / 3.2) : length / 1.6;
  if (/^\d/.test(part)) return Math.ceil(length / 3);
  if (/^\s/.test(part)) return length / 4;
  if (/^[!-~]/.test(part)) return Math.max(1, length / 2);
  return knownLetters.test(part) ? length * 1.1 : Buffer.byteLength(part);
}

/** What is longer, or has capitals within, is put together from parts. */
const isWord = (letters: string): boolean => letters.length <= 12 && /^[A-Za-z]?[a-z]*$/.test(letters);

/** Of scripts whose letters have tokens of their own. */
const knownLetters =
  /^(?:\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek}|\p{Script=Arabic}|\p{Script=Hebrew}|\p{Script=Thai}|\p{Script=Devanagari}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Han}|\p{M}|[\u2010-\u2026\u3000-\u3002\uff0c])+$/u;
