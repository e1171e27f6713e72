/** A text to look something up by: PostgreSQL refuses NUL in any text, so what holds one is found nowhere. */
export const withoutNul = (text: string): string => text.replaceAll('\0', '\ufffd');
