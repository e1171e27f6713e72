/** Letters that no form takes apart, by their nearest ones, as searches of the database do. */
const nearest: Readonly<Record<string, string>> = {
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ð: 'd',
  þ: 't',
  ς: 'σ',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

/** A name as names are compared: without case, diacritics, Unicode form, and signs that nobody sees. */
export const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]|\p{Cf}/gu, '')
    .toLowerCase()
    .replaceAll(/[łøđħŧıðþςßæœ]/g, (letter) => nearest[letter] ?? letter)
    .replaceAll(/\s+/gu, ' ')
    .trim();
