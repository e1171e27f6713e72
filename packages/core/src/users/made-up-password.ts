import { randomInt } from 'node:crypto';

// Without letters and digits that look alike.
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const groups = 5;
const groupLength = 4;

/** A password of 100 random bits that can be read out and typed: `k7wp-3xhe-…`. */
export const madeUpPassword = (): string =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-');
