import type { Language } from '@dealkeep/contract';

/** `1 October 2026 at 10:00 CEST`, in the time of the organization. */
export const momentText = (moment: string, language: Language, timeZone: string): string =>
  new Intl.DateTimeFormat(language === 'sk' ? 'sk-SK' : 'en-GB', {
    ...{ timeZone, timeZoneName: 'short' },
    ...{ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  }).format(new Date(moment));

/** Control characters and line ends of every kind become spaces. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
