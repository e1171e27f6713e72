import { countryCodes, currencyCodes, events, eventTypes } from '@dealkeep/contract';
import { isEventReached, keyOnly } from './oauth-reach.ts';
import { Identifier, type Option, sortedOptions } from './property.ts';
import { description, titleCase } from './wording.ts';

/** Countries by their English names. */
const countries = (): Option[] => byName('region', countryCodes);

/** Currencies by their English names, which n8n's rules want in title case: `US Dollar (Next Day)`. */
const currencies = (): Option[] =>
  byName('currency', currencyCodes).map(({ name, ...option }) => ({ name: titleCase(name), ...option }));

function byName(type: 'region' | 'currency', codes: readonly string[]): Option[] {
  const names = new Intl.DisplayNames('en', { type });
  return sortedOptions(codes.map((code) => ({ name: names.of(code) ?? code, value: code })));
}

/** The event catalog; names begin with the record's, so that sorting groups them. */
function eventChoices(): Option[] {
  const options = eventTypes.map((type) => {
    const text = description(events[type].description.en);
    return {
      name: titleCase(events[type].label.en),
      value: type,
      ...(text === undefined ? {} : { description: text }),
      ...(isEventReached(type) ? {} : { displayOptions: keyOnly }),
    };
  });
  return sortedOptions(options);
}

export const constantsPath = './constants.ts';

// Long lists that many parameters share stand once in the generated code.
export const countryOptions = new Identifier('countryOptions', constantsPath, countries());
export const currencyOptions = new Identifier('currencyOptions', constantsPath, currencies());
export const eventOptions = new Identifier('eventOptions', constantsPath, eventChoices());

/** The choices of a field that holds such codes. */
export const optionsOfCodes = { region: countryOptions, currency: currencyOptions };
