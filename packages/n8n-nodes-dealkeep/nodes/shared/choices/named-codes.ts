import type { INodePropertyOptions } from 'n8n-workflow';

/** Codes of countries or currencies, separated by spaces, by their English names. */
export function namedCodes(type: 'region' | 'currency', codes: string): INodePropertyOptions[] {
  const names = new Intl.DisplayNames('en', { type });
  return codes
    .split(' ')
    .map((code) => ({ name: names.of(code) ?? code, value: code }))
    .sort((first, second) => first.name.localeCompare(second.name));
}
