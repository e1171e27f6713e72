/**
 * Signs that nobody sees and that a language model reads: controls, marks and overrides of direction, spaces of no
 * width, tags and variation selectors of which whole sentences can be made. Joiners of emoji and scripts stay.
 */
const unseen =
  /(?![\n\t\u200c\u200d])(?:\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|[\u115f\u1160\u3164]|\u034f|[\u{e0000}-\u{e0fff}])/gu;

/** A text of a record as a model is shown it: without what people would not see. Line ends and tabs stay. */
export const visible = (value: string): string => value.replaceAll('\r\n', '\n').replaceAll(unseen, '');

/** As much of a text as can be shown, with a note of what is not. */
export function cut(value: string, most: number): string {
  if (value.length <= most) return value;
  // Never the half of a sign that takes two.
  const shown = value.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return `${shown}… [cut: ${value.length - shown.length} more characters]`;
}

/** A text in one line. */
export const inOneLine = (value: string, most: number): string =>
  cut(
    visible(value.slice(0, most * 4))
      .replaceAll(/\s+/gu, ' ')
      .trim(),
    most,
  );

const longestName = 120;

/** What somebody wrote, within a sentence of ours: in quotes that it cannot end. */
export const quoted = (value: string): string => JSON.stringify(inOneLine(value, longestName));
