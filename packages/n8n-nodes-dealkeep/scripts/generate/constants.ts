import { countryCodes, events, eventTypes } from '@dealkeep/contract';
import { isEventReached, keyOnly } from './oauth-reach.ts';
import { Identifier, type Option, sortedOptions } from './property.ts';
import { description, titleCase } from './wording.ts';

/** Long lists that many parameters share stand once in the generated code. */
export const countryOptions = new Identifier('countryOptions', './constants.ts');
export const eventOptions = new Identifier('eventOptions', './constants.ts');

/** Countries by their English names. */
export function countries(): Option[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  return sortedOptions(countryCodes.map((code) => ({ name: names.of(code) ?? code, value: code })));
}

/** The event catalog; names begin with the record's, so that sorting groups them. */
export function eventChoices(): Option[] {
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
