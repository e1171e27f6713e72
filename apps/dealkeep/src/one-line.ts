/** Text from outside as a part of one line: line breaks become spaces, and nothing in it steers a terminal. */
export function oneLine(text: string): string {
  return text
    .trim()
    .replaceAll(/\s*[\n\r]\s*/g, ' ')
    .replaceAll(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replaceAll(
      /\p{Bidi_Control}/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}
