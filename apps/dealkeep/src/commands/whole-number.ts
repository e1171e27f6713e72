import { InvalidArgumentError } from 'commander';

const largest = 1_000_000;

/** Parses an option that takes a whole number from 1. */
export function wholeNumber(text: string): number {
  const number = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1 && number <= largest) return number;
  throw new InvalidArgumentError(`It takes a whole number from 1 to ${largest}.`);
}
