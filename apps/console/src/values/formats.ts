import type { Language } from '@dealkeep/contract';

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', sk: 'sk-SK' };

/** Each is made once: making one takes far longer than using it, and a page has hundreds of values. */
function madeOnce<Options, Format>(
  make: (language: Language, options: Options) => Format,
): (language: Language, options: Options) => Format {
  const made = new Map<string, Format>();
  return (language, options) => {
    const key = `${language} ${JSON.stringify(options)}`;
    const format = made.get(key) ?? make(language, options);
    made.set(key, format);
    return format;
  };
}

export const numberFormat = madeOnce(
  (language, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locales[language], options),
);

/** Formats of moments, with the time zone that they are shown in. */
export const momentFormat = madeOnce(
  (language, options: Intl.DateTimeFormatOptions & { timeZone: string }) =>
    new Intl.DateTimeFormat(locales[language], options),
);

/** How long ago something was, or how soon it will be. */
export const relativeFormat = madeOnce(
  (language, options: Intl.RelativeTimeFormatOptions) =>
    new Intl.RelativeTimeFormat(locales[language], options),
);

/** Names of countries and currencies by their codes. */
export const nameFormat = madeOnce(
  (language, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(language, options),
);
