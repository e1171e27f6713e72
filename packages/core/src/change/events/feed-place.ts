/** The place of an event in its organization's feed: behind all with a lower one, whatever commits when. */
export interface FeedPlace {
  readonly era: number;
  /** An `xid8` as text: of the transaction that wrote the event. */
  readonly transaction: string;
  readonly id: string;
  /** When the event happened, in milliseconds since 1970. */
  readonly at: number;
}

/** Before all events. */
export const beginning: FeedPlace = { era: 0, transaction: '0', id: '', at: 0 };

export const isBeginning = (place: FeedPlace): boolean => place.id === '';
