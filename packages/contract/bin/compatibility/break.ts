/** What a change takes from clients, and what to do instead. */
const kinds = {
  gone: 'Keep it, and add the new one beside it.',
  required: 'Keep it optional, and decide what is done without it.',
  narrowed: 'Go on taking what was taken.',
  answered: 'Go on answering what was answered, and tell more in a new field beside it.',
  demanded: 'Go on letting in who was let in, or make another operation.',
  default: 'Go on doing the same for who does not say it.',
} as const;

export type BreakKind = keyof typeof kinds;

/** A sentence that names a break and says what to do. */
export const broken = (where: string, what: string, kind: BreakKind): string =>
  `${where}: ${what}. ${kinds[kind]}`;

/** What of one list another lacks. */
export const missing = <Value>(before: readonly Value[], after: readonly Value[]): Value[] =>
  before.filter((each) => !after.includes(each));
