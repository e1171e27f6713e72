import { asciiLowerCase } from './comparison-form.ts';
import type { Language } from './text.ts';

/**
 * The language of messages that an `Accept-Language` header asks for: the highest quality decides, a region is
 * ignored, sk and cs give Slovak, anything else English (RFC 9110, 12.5.4).
 */
export function languageOf(header: string | undefined): Language {
  let best = { tag: 'en', quality: 0 };
  for (const part of header?.split(',') ?? []) {
    const [range = '', ...parameters] = part.trim().split(';');
    const weight = parameters
      .map((each) => /^\s*q=(.*)$/i.exec(each)?.[1])
      .find((each) => each !== undefined);
    const quality = weight === undefined ? 1 : Number(weight);
    // A weight that is none, or above one, compares false: such a range is passed over.
    if (quality > best.quality && quality <= 1)
      best = { tag: asciiLowerCase(range.trim()).split('-')[0] ?? '', quality };
  }
  return best.tag === 'sk' || best.tag === 'cs' ? 'sk' : 'en';
}
