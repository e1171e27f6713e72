// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

const getAllWhen = 'Use it to find records, before creating one too, and the IDs that other tools ask for.';

const createWhen = 'Use it when nothing that fits exists yet.';

const getWhen = 'Use it when the ID is known.';

const upsertWhen = 'Use it when it is not known whether the record exists.';

/** When a language model takes an operation of a resource rather than another one. */
export const whenToUse: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  me: {},
  company: { getAll: getAllWhen, create: createWhen, get: getWhen, update: getWhen, upsert: upsertWhen },
  contact: { getAll: getAllWhen, create: createWhen, get: getWhen, update: getWhen, upsert: upsertWhen },
  lead: { getAll: getAllWhen, create: createWhen, get: getWhen, update: getWhen, move: 'Use it when a lead goes on to another stage, is won or is lost; some pipelines ask why it was lost.', archive: 'Use it for what nobody should work with any more. A lead that was lost is moved to a lost stage instead.' },
  client: { getAll: getAllWhen, create: createWhen, get: getWhen, update: getWhen, upsert: upsertWhen },
  activity: { getAll: getAllWhen, create: 'Use it for what has a time, when nothing that fits exists yet. What only has to be done is a task.', get: getWhen, update: getWhen, complete: 'Use it when it has taken place.' },
  task: { getAll: getAllWhen, create: 'Use it for what has to be done, when nothing that fits exists yet. A meeting or a call at a time is an activity.', get: getWhen, update: getWhen, complete: getWhen, reopen: getWhen },
  invoice: { getAll: getAllWhen, create: createWhen, get: getWhen },
  booking: { getAll: getAllWhen, create: createWhen, get: getWhen },
  order: { getAll: getAllWhen, create: createWhen, get: getWhen },
  product: { getAll: getAllWhen, get: getWhen },
  user: { getAll: getAllWhen, get: getWhen },
  pipeline: { getAll: getAllWhen, get: getWhen },
  leadOrigin: { getAll: getAllWhen, get: getWhen },
  lostReason: { getAll: getAllWhen, get: getWhen },
  tag: { getAll: getAllWhen, get: getWhen },
  customField: { getAll: getAllWhen, get: getWhen },
  activityType: { getAll: getAllWhen, get: getWhen },
  project: { getAll: getAllWhen, get: getWhen },
  productCategory: { getAll: getAllWhen, get: getWhen },
  bookingService: { getAll: getAllWhen, get: getWhen, getAvailability: getWhen },
  bookingStaff: { getAll: getAllWhen, get: getWhen },
  webhook: { getAll: getAllWhen, create: createWhen, get: getWhen, update: getWhen },
  delivery: { getAll: getAllWhen, get: getWhen },
  event: { getAll: getAllWhen, get: getWhen },
  search: {},
};
