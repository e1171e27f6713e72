// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

/** Items of one batch. */
export const batchItems = 100;

/** Items of a batch that count as one request. */
export const itemsPerRequest = 10;

/** Bytes of the body of a request. */
export const bodyBytes = 1048576;

/** Milliseconds after which a delivery that failed is first repeated. */
export const firstRepetition = 5000;

/** Events that are held for a subscription that comes back. */
export const heldEvents = 1000;
