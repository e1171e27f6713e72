import { unaccentedForm } from '@dealkeep/contract';

/** Letters that no form takes apart, by their nearest ones, as searches of the database do. */
const nearest: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ð: 'd',
  þ: 't',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** A name as names are compared: without case, diacritics, Unicode form, and signs that nobody sees. */
export const folded = (name: string): string =>
  unaccentedForm(name.normalize('NFKD').replaceAll(/\p{Cf}/gu, '')).replaceAll(
    /[łøđħŧðþßæœ]/g,
    (letter) => nearest[letter] ?? letter,
  );
