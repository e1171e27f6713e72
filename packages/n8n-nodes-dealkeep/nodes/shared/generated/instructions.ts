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
  lead: { getAll: getAllWhen, create: createWhen, get: getWhen, update: getWhen },
  client: { getAll: getAllWhen, create: createWhen, get: getWhen, update: getWhen },
  activity: { getAll: getAllWhen, create: createWhen, get: getWhen, update: getWhen },
  task: { getAll: getAllWhen, create: createWhen, get: getWhen, update: getWhen },
  invoice: { getAll: getAllWhen, create: createWhen, get: getWhen },
  booking: { getAll: getAllWhen, create: createWhen, get: getWhen },
  order: { getAll: getAllWhen, create: createWhen, get: getWhen },
  product: { getAll: getAllWhen, get: getWhen },
  user: { getAll: getAllWhen },
  pipeline: { getAll: getAllWhen },
  leadOrigin: { getAll: getAllWhen },
  lostReason: { getAll: getAllWhen },
  tag: { getAll: getAllWhen },
  customField: { getAll: getAllWhen },
  activityType: { getAll: getAllWhen },
  project: { getAll: getAllWhen },
  productCategory: { getAll: getAllWhen },
  bookingService: { getAll: getAllWhen },
  bookingStaff: { getAll: getAllWhen },
  webhook: { getAll: getAllWhen, create: createWhen, get: getWhen },
};
