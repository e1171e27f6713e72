/** How a state is coloured, besides being said; the rest stands in grey. */
type Tone = 'good' | 'bad' | 'warning' | 'info';

const statesOf: Readonly<Record<Tone, readonly string[]>> = {
  good: ['won', 'paid', 'accepted', 'confirmed', 'completed', 'delivered'],
  bad: ['lost', 'overdue', 'rejected', 'failed', 'no_show', 'returned'],
  warning: ['high', 'unpaid', 'pending', 'ready_for_pickup'],
  info: ['open', 'new', 'issued', 'sent', 'picking', 'packed', 'shipped'],
};

const tones = new Map(
  Object.entries(statesOf).flatMap(([tone, states]) => states.map((state) => [state, tone] as const)),
);

/** The class of a badge that shows a state: ` good`; nothing for a state without a colour. */
export const toneOf = (state: string): string => (tones.has(state) ? ` ${tones.get(state)}` : '');
