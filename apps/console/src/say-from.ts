import type { Language, Text } from '@dealkeep/contract';

/** Says the texts of some pages: `say('sk')('signOut')`. Placeholders stand in braces. */
export const sayFrom =
  <Name extends string>(texts: Readonly<Record<Name, Text>>) =>
  (language: Language) =>
  (name: Name, values: Readonly<Record<string, string | number>> = {}): string =>
    texts[name][language].replace(/\{(\w+)\}/g, (whole, key: string) => String(values[key] ?? whole));
