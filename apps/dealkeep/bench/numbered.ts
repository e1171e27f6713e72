/** Stands in a request where each that is sent has a number of its own, of the same length. */
export const numberMark = '@@@@@@@@@@@@';

// Later runs of the generator go on where earlier ones ended.
let sent = Date.now() % 1e9;

/** The request with the next number, where it has a place for one. */
export function numbered(text: string): string {
  if (!text.includes(numberMark)) return text;
  sent += 1;
  return text.replaceAll(numberMark, String(sent * 1000).padStart(numberMark.length, '0'));
}
