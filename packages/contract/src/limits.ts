/** Seconds to wait before each attempt, counted from the end of the one before (rule deliveries 9). */
export const attemptDelaysSeconds = [
  0,
  5,
  5 * 60,
  30 * 60,
  2 * 3600,
  5 * 3600,
  10 * 3600,
  14 * 3600,
  24 * 3600,
] as const;

/** Each delay is up to this share longer, never shorter, so that retries come in no waves. */
export const attemptJitterShare = 0.1;

/** How far the last attempt of a delivery can be from the first, where the receiver asks for no longer delays. */
export const attemptsSpanSeconds = Math.ceil(
  attemptDelaysSeconds.reduce<number>((sum, each) => sum + each, 0) * (1 + attemptJitterShare),
);

/** All limits, with their units in the names; docs/rules/limits.md names the rule of each. */
export const limits = {
  requestsPerMinute: 120,
  organizationRequestsPerMinute: 600,
  testRequestsPerMinute: 60,
  testOrganizationRequestsPerMinute: 300,
  /** Of a session of the console. */
  sessionRequestsPerMinute: 300,
  /** Of an application, at the token and the revocation endpoint together. */
  applicationRequestsPerMinute: 120,
  /** Of one batch. */
  batchItems: 100,
  /** Items of a batch that count as one request. */
  itemsPerRequest: 10,
  pageSizeDefault: 50,
  pageSizeMaximum: 100,
  /** Of the records of a page together, however many it was to have; one is there in any case. */
  pageBytes: 2 * 1024 * 1024,
  /** So far the records of a list are counted in the console; of those that a search finds, less far. */
  countedRecords: 10_000,
  countedSearchResults: 100,
  /** So many records of a list are added up at most. */
  summedRecords: 100_000,
  /** What a search over everything answers at most. */
  searchResults: 20,
  /** Values of one filter, separated by commas. */
  filterValues: 20,
  /** Days of the free starts of a service, asked about at once. */
  availabilityDays: 31,
  /** As much as the address of a request can hold. */
  cursorLength: 16 * 1024,
  idempotencyKeyLength: 255,
  idempotencyRetentionHours: 24,
  bodyBytes: 1024 * 1024,
  /** Values in a message of an assistant, those inside others too (rule assistants 1). */
  messageEntries: 10_000,
  /** A form of somebody who is not signed in, or of an application. */
  openFormBytes: 16 * 1024,
  openFormFields: 50,
  /** Fields of a form of the console. */
  formFields: 5000,
  /** Rows of a list in a form of the console: more take too long to show, and can be sent by the API. */
  formRows: 200,
  /** Records that a form of the console is filled with by searching, at once. */
  formSearches: 50,
  /** A text that has no length of its own, in bytes of its JSON (rule bodies 15). */
  textBytes: 64 * 1024,
  /** Of what is sent of an event. */
  envelopeBytes: 256 * 1024,
  /** Of the envelopes that a worker is sending at one moment. */
  inFlightBytes: 64 * 1024 * 1024,
  /** Elements of a list that has no number of its own (rule bodies 15). */
  listItems: 500,
  /** Tags of a company or a lead, as programs write them (rule companies 10). */
  tagsOfRecord: 50,
  /** Tags that an organization has; programs make no more (rule companies 15). */
  tagsOfOrganization: 1000,
  /** Values to choose from of a custom field, each as long as a name. */
  customFieldChoices: 100,
  /** Characters of the value of a custom field (rule companies 9). */
  customFieldLength: 2000,
  /** A CSV file that somebody imports in the console (rule importing 1). */
  importBytes: 10 * 1024 * 1024,
  importRows: 50_000,
  importRowBytes: 256 * 1024,
  importColumns: 200,
  /** Imports that are not finished. */
  importsPerOrganization: 50,
  /** How long an import can be undone, counted from its end. */
  importUndoHours: 24,
  /** How long what was uploaded and its report are kept. */
  importDays: 7,
  /** How long the audit log keeps an entry (rule audit 8). */
  auditDays: 365,
  /** Of the audit log: as many as a file of them is read by. */
  auditEntriesPerPage: 1000,
  /** Time that a request has to come whole (rule errors 7). */
  requestSeconds: 60,
  /** A body that grows by less than a KiB in this time is given up (rule limits 7). */
  stalledBodySeconds: 10,
  /** Of bodies that are received or worked on at one moment (rule limits 6). */
  heldBytesPerCredential: 16 * 1024 * 1024,
  heldBytesPerOrganization: 32 * 1024 * 1024,
  /** Fields that an answer names of a body that is refused. */
  failingFields: 100,
  webhookTargetLength: 2048,
  /** Values of one filter of a webhook, and fields that it waits for. */
  webhookFilterValues: 50,
  /** Static headers of a webhook made by hand, and the characters of the value of one. */
  webhookHeaders: 5,
  webhookHeaderLength: 1000,
  /** The largest rate that a webhook made by hand can ask for. */
  webhookAttemptsPerMinute: 6000,
  /** Records that one form of the console changes. */
  selectedRecords: 500,
  /** Views of lists that one user saves, and those that everybody sees above one list. */
  viewsPerUser: 100,
  sharedViewsOfList: 30,
  viewNameLength: 60,
  viewQueryLength: 2000,
  webhooksPerOrganization: 50,
  keysPerOrganization: 20,
  deliveryTimeoutSeconds: 10,
  deliveryAttempts: attemptDelaysSeconds.length,
  retryAfterSeconds: 24 * 60 * 60,
  /** How long the delivery log keeps an attempt. */
  deliveryLogDays: 30,
  /** How long an event is kept, and a cursor of the feed can be used. */
  eventDays: 31,
  /** How long a reader of the feed may wait for an event. */
  feedWaitSeconds: 20,
  /**
   * Deliveries of one webhook that are sent again in a second at most, so that new events get through beside them.
   */
  replayedPerSecond: 50,
  heldEventsPerWebhook: 1000,
  heldEventsDays: 30,
  failingMailHours: 24,
  failingEndHours: 72,
  /** How long what a REST hook has waited for is kept when its credential deletes it. */
  deletedHookHours: 24,
  /** How long a former secret of a webhook still signs. */
  previousSecretHours: 24,
} as const;

export const apiVersion = '2026-10-01';

/** The API root below the origin. */
export const basePath = '/api/v1/public';
