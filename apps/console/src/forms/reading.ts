import type { Language } from '@dealkeep/contract';
import { type ConsoleContext, sessionOf } from '../context.ts';

/** How what stands in a form is read, and how a record is put into one. */
export interface Reading {
  /** Of the page: numbers are written in it. */
  readonly language: Language;
  /** Of the organization: local times are read in it. */
  readonly timeZone: string;
  /** Of money in a form that names no currency. */
  readonly currency: string;
}

/** The language of the page, the time zone and the currency of the organization. */
export function readingOf(c: ConsoleContext): Reading {
  const { timeZone, currency } = sessionOf(c).organization;
  return { language: c.get('language'), timeZone, currency };
}
