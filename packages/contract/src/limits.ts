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
  pageSizeDefault: 50,
  pageSizeMaximum: 100,
  /** Of the records of a page together, however many it was to have; one is there in any case. */
  pageBytes: 2 * 1024 * 1024,
  /** As much as the address of a request can hold. */
  cursorLength: 16 * 1024,
  idempotencyKeyLength: 255,
  idempotencyRetentionHours: 24,
  bodyBytes: 1024 * 1024,
  /** A form of somebody who is not signed in, or of an application. */
  openFormBytes: 16 * 1024,
  openFormFields: 50,
  /** Fields of a form of the console. */
  formFields: 5000,
  /** A text that has no length of its own, in bytes of its JSON (rule bodies 15). */
  textBytes: 64 * 1024,
  /** Of what is sent of an event. */
  envelopeBytes: 256 * 1024,
  /** Of the envelopes that a worker is sending at one moment. */
  inFlightBytes: 64 * 1024 * 1024,
  /** Elements of a list that has no number of its own (rule bodies 15). */
  listItems: 500,
  /** Types in the catalog of events. */
  eventTypes: 45,
  /** Fields that an answer names of a body that is refused. */
  failingFields: 100,
  webhookTargetLength: 2048,
  webhooksPerOrganization: 50,
  keysPerOrganization: 20,
  deliveryTimeoutSeconds: 10,
  deliveryAttempts: 9,
  retryAfterSeconds: 24 * 60 * 60,
  /** How long the delivery log keeps an attempt. */
  deliveryLogDays: 30,
  /** Deliveries of one webhook that are sent again in a second at most, so that new events get through beside them. */
  replayedPerSecond: 50,
  heldEventsPerWebhook: 1000,
  heldEventsDays: 30,
  failingMailHours: 24,
  failingEndHours: 72,
  /** How long a former secret of a webhook still signs. */
  previousSecretHours: 24,
} as const;

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

export const apiVersion = '2026-10-01';

/** The API root below the origin. */
export const basePath = '/api/v1/public';
