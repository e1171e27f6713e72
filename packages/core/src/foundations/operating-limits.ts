import { limits } from '@dealkeep/contract';

// The figures of core that an operator may ask about: how long, how many, how often. Each is named for what it
// limits, with its unit, and says why it is as it is. Those that users of the API are promised stand in the
// contract's `limits`; what is kept how long stands in `retention.ts`. What tunes one file only (how much one
// statement takes, a pause of milliseconds) stays there.

// --- Sessions, passwords and invitations ------------------------------------------------------------------------

/** A session of the console ends when it is not used for so long: half a day at work (rule users 12). */
export const sessionIdleMs = 12 * 3_600_000;
/**
 * A session ends after this time however much it is used, so that somebody who stole it does not have it for good.
 */
export const sessionLifetimeMs = 30 * 24 * 3_600_000;
/** A session's token is another one after so long, so that a stolen one is of no use for long. */
export const sessionTokenRotatedAfterMs = 3_600_000;
/** The former token still counts for requests that were on their way when it was rotated. */
export const formerSessionTokenMs = 60_000;
/** That a session is used is written at most this often. */
export const sessionUseNotedEveryMs = 60_000;
/** A browser counts as known for so long after a sign-in; strangers who guess at the account do not slow it down. */
export const knownBrowserSeconds = 90 * 24 * 3600;

/** Failed sign-ins of one account: so many come without a wait, because people mistype; then 1 s, 2 s, 4 s, … */
export const accountFailures = { free: 5, longestWaitMs: 15 * 60_000 } as const;
/**
 * Failed sign-ins from one network on whatever account; a whole office may stand behind it, so it forgets quickly.
 */
export const networkFailures = { free: 30, longestWaitMs: 60_000, forgottenEveryMs: 60_000 } as const;
/** The same where no trusted proxy names the network: everybody may stand behind a proxy that nothing is said of. */
export const connectionFailures = { free: 60, longestWaitMs: 15_000, forgottenEveryMs: 15_000 } as const;
/** Passwords that are hashed at once, each with 19 MiB and a core; more wait, further ones are told to come back. */
export const passwordHashes = {
  /** Of people who are signed in, or whose browser is known. */
  known: { atOnce: 1, waiting: 64 },
  /** Of everybody else: however many come, they are not in the way of those who are known. */
  strangers: { atOnce: 2, waiting: 128 },
} as const;

/** How long an invitation can be accepted (rule users 6). */
export const invitationDays = 7;

// --- Applications (OAuth) ---------------------------------------------------------------------------------------

/** An authorization code waits so long to be redeemed (rule oauth 8). */
export const authorizationCodeSeconds = 60;
/** An access token lives so long (rule oauth 10). */
export const accessTokenSeconds = 3600;
/** A client whose response was lost gets the same answer again for so long (rule oauth 12). */
export const tokenRotationGraceSeconds = 60;
/** Reading the document that describes an application takes no longer (rule oauth 23). */
export const metadataDocumentReadMs = 5_000;
/** A longer one is refused (rule oauth 23). */
export const metadataDocumentBytes = 16 * 1024;
/** Seconds after which it is read again: at least, at most, and where it does not say (rule oauth 24). */
export const metadataDocumentFresh = { least: 300, most: 86_400, usual: 3600 } as const;
/** Where reading it failed, it is tried again after so long (rule oauth 24). */
export const metadataDocumentTriedEverySeconds = 60;
/** The last good one counts for so many days while it cannot be read (rule oauth 24). */
export const metadataDocumentKeptDays = 7;
/** A connection ends so long after its last use (rule oauth 17). */
export const idleConnectionDays = 180;

// --- What a process relies on from memory -----------------------------------------------------------------------

/** A process relies for so long on what it knows of a credential, except that it is not revoked. */
export const credentialReliedOnMs = 1000;
/**
 * For so long a process may rely on having been told that nothing is revoked (docs/decisions/0025). At least so long
 * every revocation waits before it is answered.
 */
export const revocationReliedOnMs = 250;
/** The use of a key is written at most this often, so that reading writes nothing. */
export const keyUseNotedEveryMs = 60_000;
/** The use of an application's connection is written at most this often. */
export const connectionUseNotedEverySeconds = 60;
/** Credentials that a process remembers, some 10 MB. */
export const rememberedCredentials = 10_000;
/** Organizations whose stages, users and lookups a process remembers. */
export const rememberedReferenceData = 1000;
/**
 * Days of organizations whose events and deliveries a process has counted for the console's start page, some 3 MB.
 */
export const rememberedDays = 20_000;
/**
 * Organizations, or people with leads of their own, of whose open leads a process remembers the weeks, some 3 MB.
 */
export const rememberedPipelines = 5000;

// --- Limits of requests -----------------------------------------------------------------------------------------

/**
 * The share of a limit that a process takes from the database at once. What it holds unspent is lost to the others,
 * so each process more costs an organization this share at most.
 */
export const tokenLeaseShare = 0.05;
/** Below this limit a process takes no tokens ahead, and every request asks the database. */
export const tokensLeasedFromPerMinute = 20;
/**
 * How long a process relies on what it was told of a limit, for the number of requests left that it shows. While
 * more than half of them are, callers need not know it to the moment, and to ask costs a read a third of all it
 * takes where several processes answer for many organizations.
 */
export const tokenCountReliedOnMs = { little: 100, plenty: 1000 } as const;

/**
 * What was begun outside of the database for an `Idempotency-Key`, such as a test event, is taken for abandoned
 * after so long: longer than any of it takes.
 */
export const abandonedMarkMs = 60_000;

// --- Deliveries -------------------------------------------------------------------------------------------------

/** Attempts in flight at once for one webhook, so that a burst of one does not become an attack on its receiver. */
export const attemptsPerWebhook = 4;
/** Attempts in flight for one webhook that is busy and answers quickly; it gets there step by step. */
export const attemptsPerQuickWebhook = 32;
/**
 * An answer within this time lets its webhook have one more in flight; a later one, or none of success, halves what
 * it may have. Receivers across an ocean answer in 100 to 200 ms, and are well.
 */
export const quickAnswerMs = 250;
/** An attempt at a webhook of which nothing is known gives its place up sooner: thousands may hang. */
export const trialMs = 250;
/** Jobs that a worker has in its hands at once, whatever `WEBHOOK_CONCURRENCY` is. */
export const jobsAtOnce = 500;
/**
 * The job of a webhook that does well goes before those of failing ones that are up to so much older: thousands may
 * hang, and each takes its slot for a moment.
 */
export const failingGiveWayMs = 10_000;
/** A job of which more is due goes behind the others after this time, and any worker may take it. */
export const runMs = 1000;
/**
 * A job that has nothing more to send waits this long for more, while there are slots enough: another one would cost
 * more than all else of a delivery.
 */
export const runLingersMs = 1000;
/** A webhook whose job is just being ended gets its next one after this pause. */
export const jobIsEndingMs = 10;
/** A retry that is due within this time has a job already; what comes later, the sweep finds. */
export const nearRetryMs = 10 * 60_000;
/** A sweep looks at so many webhooks that something waits for, and at more only where it found work: some 5 ms. */
export const webhooksWalkedAtOnce = 400;
/** An attempt without an answer after so long counts as slow, and gives its place to others. */
export const slowAttemptAfterMs = 1000;
/** Slow attempts in flight; beyond, webhooks that hang get nothing until one ends. Each holds a connection. */
export const slowAttemptsInFlight = 2000;
/** Attempts in flight of webhooks of which nothing is known yet. */
export const unknownAttemptsInFlight = 1000;
/** Both together: a full slow lane leaves places to webhooks of which nothing is known yet, or that answer late. */
export const slowOrUnknownAttemptsInFlight = 3000;
/** A worker looks this often for due deliveries that have no job: a crash can fall between commit and job. */
export const queueLookedAtEveryMs = 1000;
/** What could not be signed is looked at again after this time: another process may have the key of its secret. */
export const unsignedHeldForMs = 60_000;
/** Results that wait to be written; with more, nothing is sent until the database takes them. */
export const unwrittenResults = 5000;
/**
 * So long at most the result of an attempt, and its entry in the log, wait for others: hundreds that are written
 * with one statement cost little more than one.
 */
export const deliveriesGatheredForMs = { results: 100, log: 200 } as const;
/**
 * Entries of the delivery log that wait to be written, about 30 MB when every answer is long; the oldest go first.
 */
export const unwrittenLogEntries = 20_000;
/** A stop waits so long for the delivery log, beyond its own limit. */
export const logWrittenAtStopMs = 2000;
/** The last success of a healthy webhook is noted at most this often; between, its row is not written. */
export const webhookSuccessNotedEverySeconds = 60;
/** A delivery that is due for longer is counted as overdue in `/metrics`. */
export const overdueDeliverySeconds = 60;
/** Deliveries that a command of the operator shows. */
export const inspectedDeliveries = 50;

// --- Mails ------------------------------------------------------------------------------------------------------

/** graphile-worker tries again after e, e², … seconds, from the tenth time on after six hours: three days in all. */
export const attemptsOfMail = 22;
/** How long a mail server may take to be connected and to greet, and how long it may be silent after that. */
export const mailServerLimits = { connectMs: 10_000, greetingMs: 10_000, silentMs: 20_000 } as const;
/** A mail that a worker has had in its hands for so long is sent by another; sending one takes a minute at most. */
export const lostMailMinutes = 5;

// --- Imports ------------------------------------------------------------------------------------------------------

/**
 * So long a worker goes on with one import before another one has its turn, which can take as long as it is polled.
 */
export const importSliceMs = 5_000;
/** An import that no worker has gone on with for so long is taken over; a part of one takes a few seconds. */
export const lostImportSeconds = 60;

// --- Requests to receivers --------------------------------------------------------------------------------------

/** For resolving the name of a target (rule hooks 11). */
export const targetResolvedMs = 5_000;
/** How long a name server is asked at a time, and how often, before the next one is. */
export const nameServerAsked = { ms: 2_000, tries: 2 } as const;
/** Names that one organization has resolved at the same time; further ones wait as long as one takes at most. */
export const targetsResolvedAtOnce = 3;
/** For resolving, connecting and TLS together. */
export const targetConnectedMs = 10_000;
/** How long one address may take before the next is tried beside it (RFC 8305, 5). */
export const nextAddressAfterMs = 250;
/** Addresses of one name that are tried: one with hundreds must not make us, or the proxy, knock at all of them. */
export const triedAddresses = 6;
/**
 * An idle connection to a receiver is kept no longer, whatever the receiver asks for: there may be thousands of
 * them.
 */
export const idleTargetConnectionMs = 30_000;
/** A longer head of an answer, the proxy's too, is refused. */
export const answerHeadBytes = 16 * 1024;
/** How much of an answer's body is read (rule deliveries 12). */
export const readAnswerBytes = 64 * 1024;
/** How much of it the delivery log keeps (rule deliveries 12). */
export const keptAnswerBytes = 1024;

// --- Processes --------------------------------------------------------------------------------------------------

/** What runs may finish within this time when a process is told to stop; Kubernetes kills it after 30 s. */
export const stopLimitMs = 10_000;
/** What answers 503 names this as `Retry-After`: most failures that pass take no longer. */
export const unavailableRetryAfterSeconds = 5;
/** A process notes that it runs this often. */
export const processNotedEveryMs = 10_000;
/** One that has not noted itself for so long has ended without saying so: three notes and a little. */
export const processMissedAfterSeconds = 35;
/** The row of a process that ended without saying so is deleted after this time; nobody reads it any more. */
export const lostProcessKeptHours = 24;
/** A worker notes that it works this often. */
export const workerNotedEverySeconds = 5;
/** When PostgreSQL has just started, no worker shows that it lives; they have this long to show it again. */
export const workerGraceSeconds = 3;
/**
 * A worker that still holds its lock but has noted no work for so long hangs. Longer than any attempt takes, the
 * writing of its result included.
 */
export const hungWorkerSeconds = 30;
/** How often it is noted that some worker works. */
export const workNotedEveryMs = 15_000;
/**
 * A longer time without any sign of a worker is one in which none worked: all were stopped, the machine slept, or an
 * operator had nothing sent. It does not count as time in which a webhook failed.
 */
export const workMissedAfterSeconds = 120;
/** Tasks by the clock and mails run so many at a time, so that a long removal keeps no sweep waiting. */
export const tasksAtOnce = 2;
/** A job whose moment comes, or that a dead worker had, is found this much later at most. */
export const jobsPolledEveryMs = { deliveries: 500, tasks: 2000 } as const;
/** The next job of a queue is asked for again so often, and so long after the end of the one before. */
export const queueAskedAgain = { everyMs: 50, forMs: 1_000 } as const;
/**
 * What runs jobs and has ended is started again after the first pause, twice as long each time until it did well.
 */
export const jobRunnerRestart = { firstMs: 50, longestMs: 800, didWellMs: 10_000 } as const;

// --- Streams of events ------------------------------------------------------------------------------------------

/** Streams that one key may have open at once, over all processes (rule events 20). */
export const streamsPerKey = 3;
/** A stream that broke off is taken up where it was within this time. */
export const streamResumableMs = 10 * 60_000;
/**
 * Longer than any transaction takes. An older event that a stream has not seen came with a restored dump, which
 * brings the transaction numbers of another server, and is left out.
 */
export const streamHorizonMs = 3_600_000;

// --- The feed of events -----------------------------------------------------------------------------------------

/** A process looks this often whether there is something for those who wait: other processes write events, too. */
export const feedLookedAtEveryMs = 250;
/** Pages that are read at once for those who were woken, so that everybody else has connections. */
export const feedReadsAtOnce = 2;
/** How far a reader goes back when what it read last was lost by a fail-over: longer than any transaction takes. */
export const feedOverlapMs = 10 * 60_000;

// --- The database -----------------------------------------------------------------------------------------------

/** How long the work on a pool may take, in milliseconds. 0 is for ever. */
export interface TimeLimits {
  /** PostgreSQL ends a statement that takes longer (`statement_timeout`). */
  readonly statementMs: number;
  /**
   * A statement is given up after this time, its wait for a connection included, in case the server hangs. Longer
   * than `statementMs`, so that a server that works reports itself which statement took too long.
   */
  readonly answerMs: number;
  /** For making a connection, until it can take its first statement. */
  readonly connectMs: number;
}

/**
 * For requests: somebody waits for the answer, which is to be there within 15 seconds, whatever the database does.
 */
export const requestLimits: TimeLimits = { statementMs: 8_000, answerMs: 10_000, connectMs: 4_000 };
/** For counting and copying on behalf of somebody who waits. */
export const slowRequestLimits: TimeLimits = { statementMs: 10_000, answerMs: 11_500, connectMs: 4_000 };
/** A load balancer asks whether this process can be given requests, and wants to know within 3 seconds. */
export const readinessLimits: TimeLimits = { statementMs: 1_500, answerMs: 2_000, connectMs: 2_000 };
/** The queue of deliveries: its statements are short, and nobody is kept waiting when one is not. */
export const queueLimits: TimeLimits = { statementMs: 30_000, answerMs: 35_000, connectMs: 10_000 };
/**
 * Migrations, seeding, upkeep, commands of the operator: these take as long as they take, and can be ended by hand.
 */
export const noLimits: TimeLimits = { statementMs: 0, answerMs: 0, connectMs: 10_000 };
/** A process that hangs in the middle of a request frees its locks after this time. */
export const idleTransactionMs = 60_000;
/**
 * A program that starts waits so long for a database that is away, as one of the same composition that starts, too.
 */
export const databaseAwaitedMs = 60_000;
/**
 * What comes while PostgreSQL or its pooler is being restarted waits so long for it, before it is refused: less than
 * who asks waits for an answer.
 */
export const outageAwaitedMs = 3_000;
/** Connections of a process for counting and copying, beside those for everything else. */
export const slowConnections = 3;
/** Connections by which each process goes past a pooler: one for places of streams, which are locks. */
export const directConnections = 1;
/**
 * Connections that a process opens besides `DATABASE_POOL`: one each for `/metrics` and `/readyz`, and the slow and
 * direct ones.
 */
export const otherConnections = slowConnections + 2 + directConnections;
/**
 * Connections of a worker, so many for each kind of work that none keeps another waiting: its queue, its lock by
 * which others see that it lives, tasks by the clock (one for each that runs at the same time), and jobs, where one
 * listens.
 */
export const workerConnections = {
  queue: 4,
  presence: 1,
  tasks: tasksAtOnce,
  deliveryJobs: 3,
  taskJobs: tasksAtOnce + 1,
} as const;
/** All of them, which PostgreSQL has to hold besides those that every process opens. */
export const connectionsOfWorker = Object.values(workerConnections).reduce((sum, each) => sum + each, 0);
/** A transaction that collides with others is run this often before its request fails. */
export const transactionTries = 5;
/** A server is asked this long whether it takes encrypted connections. */
export const tlsAskedMs = 4_000;
/** A server that said nothing is asked this long at a time whether it answers. */
export const serverAskedForMs = 2_000;
/** A migration waits so long at a time for a lock, because whoever comes after it waits, too; and so long in all. */
export const migrationPatience = { lockMs: 150, totalMs: 600_000 } as const;
/**
 * Before an organization moves, each of its tables is locked for a moment, for which others wait no longer than
 * this; what is busy is tried again, for so long in all. What it leaves on a busy table after a move that failed is
 * harmless, so that is given up sooner.
 */
export const fencePatience = { lockMs: 200, againMs: 300, totalMs: 120_000, dropTries: 20 } as const;
/** Deliveries and mails of an organization that moves are on their way for no longer; else it does not move. */
export const movingDrainedMs = 90_000;
/** What was tried last stands in the delivery log after this time (`logBuffer`). */
export const lastAttemptsLoggedMs = 1_000;
/** The connections of a command that was killed are gone after this time. */
export const endedCommandMs = 15_000;
/** Before a database moves, whoever writes to it has so long to end. */
export const stillnessAwaitedMs = 10_000;
/** Rows of an organization that has moved are removed so many at once. */
export const forgottenAtOnce = 5_000;
/** How long a scrape of `/metrics` waits for the database. */
export const scrapeMs = 4000;

// --- Backups by the clock ---------------------------------------------------------------------------------------

/** How many backups are kept, and at which hour (UTC) each night's is made. */
export const backupBounds = {
  keep: { least: 1, usual: 14, most: 1000 },
  hour: { least: 0, usual: 1, most: 23 },
} as const;
/**
 * A backup is tried when the last trial that succeeded was so long ago: each week, with half a day for its own
 * length.
 */
export const backupTriedEveryMs = 6.5 * 24 * 3_600_000;
/** A trial is given up after so long: it shares the server with everybody else. */
export const backupTrialMs = 2 * 3_600_000;
/**
 * A backup with more in its rows is tried elsewhere: a trial takes some three times as much of the server's disk.
 */
export const backupTrialBytes = 20 * 1024 ** 3;
/** What a trial takes on the disk, by what the rows take as text. */
export const backupTrialRoomShare = 3;
/** A run of a clock that is so far behind the last one's is one of a clock that was set back. */
export const clockSetBackMs = 3_600_000;
/** What became of runs is kept for so long; of the last good one for good. */
export const backupRunsKeptDays = 90;

// --- What `doctor` warns of -------------------------------------------------------------------------------------

/** A delivery that has been due for so long is late: workers are busy, or there is none that works. */
export const lateDeliverySeconds = 120;
/** A part of the queue that is paused for so long may have been forgotten. */
export const forgottenPauseMs = 24 * 3_600_000;
/** Clocks that differ by more make times in logs, and who is alive, hard to tell. */
export const clockDifferenceMs = 2000;
/** A transaction that is open for so long keeps tables from being cleared. */
export const longTransactionMs = 15 * 60_000;
/** Who waits for a lock for so long, waits for somebody who has forgotten it. */
export const lockAwaitedMs = 10_000;
/** Dead rows of a small table are no trouble. */
export const deadRows = 10_000;
/** The last backup is old: a night was left out, and half of a day passed since. */
export const oldBackupSeconds = 36 * 3600;
/** The last trial is old: two weeks were left out. */
export const oldTrialSeconds = 15 * 24 * 3600;
/** Less of a disk is too little to go on with. */
export const leastFreeShare = 0.05;
/** What `doctor` asks of the network is to answer within this time. */
export const examinedWithinMs = 5000;

// --- Storage of organizations -----------------------------------------------------------------------------------

/** Of a table that is larger, so many pages (80 MB) are read to measure what organizations take, once an hour. */
export const inspectedStoragePages = 10_000;
/** From this share of its quota on, an organization is told that it comes near. */
export const storageNoticedShare = 0.8;
/** From this share on it changes nothing more that leaves an event; what frees storage goes on. */
export const storageCeilingShare = 1.25;
/**
 * The least and the most that can be set as the storage of organizations (`STORAGE_QUOTA_MB`), in millions of bytes.
 */
export const storageQuotaBoundsMb = { least: 10, most: 10_000_000 } as const;

// --- Erasures ---------------------------------------------------------------------------------------------------

/** A request works on an erasure so long; a worker does the rest. A part that has begun is ended. */
export const erasureInRequestMs = 4_000;
/**
 * When an erasure looks a second time, at what was on its way as it ran: longer than any request, transaction or
 * attempt takes. What happens this much after it was asked for is no part of it any more.
 */
export const erasureSecondLookMs = 2 * 60_000;

// --- Requests of people -----------------------------------------------------------------------------------------

/** Records that removing a stage moves at most: their events stand in one transaction, while a user waits. */
export const recordsMovedAtOnce = 1000;
/** Records of one organization that one transaction of a sweep changes at most. */
export const sweptRecordsAtOnce = 100;
/**
 * Of bodies that a process holds at once, from their first byte until they are answered. More than three
 * organizations have to use up all that they may hold before anybody is answered 503 (rule limits 6).
 */
export const bodiesHeldBytes = 128 * 1024 * 1024;
/** Of forms of strangers among them, so that strangers cannot use up what those have who are known. */
export const openBodiesHeldBytes = 16 * 1024 * 1024;
/** Of one network among those; behind a proxy that is not trusted, all strangers are one. */
export const openBodiesOfNetworkHeldBytes = 4 * 1024 * 1024;
/**
 * A body that grew by less than this while it is watched does not grow: one that comes by single bytes is not on its
 * way.
 */
export const bodyGrowsByBytes = 1024;
/** What comes of a body beyond its limit is read and dropped up to here, so that the sender can read the answer. */
export const droppedBodyBytes = 16 * limits.bodyBytes;

/**
 * What operators may have kept longer, and the audit log and mails for a shorter time (`KEEP_…` of the environment).
 */
export interface Retention {
  eventDays: number;
  deliveryLogDays: number;
  auditDays: number;
  answerHours: number;
  /** After so long without a failed sign-in none counts any more. */
  signInAttemptHours: number;
  /** Since it was caused, of a mail that is tried no more. */
  mailDays: number;
}

/**
 * The least is what callers are promised, so that no document is wrong of an installation; of the audit log nobody
 * is promised anything, and the law may ask for less than a year. The most keeps tables at a size that is tried.
 */
export const retentionBounds = {
  eventDays: { least: limits.eventDays, usual: limits.eventDays, most: 400 },
  deliveryLogDays: { least: limits.deliveryLogDays, usual: limits.deliveryLogDays, most: 399 },
  auditDays: { least: 30, usual: limits.auditDays, most: 3650 },
  answerHours: {
    least: limits.idempotencyRetentionHours,
    usual: limits.idempotencyRetentionHours,
    most: 720,
  },
  // Forgotten sooner, whoever guesses would have more guesses a day.
  signInAttemptHours: { least: 24, usual: 24, most: 720 },
  // It is tried for three days.
  mailDays: { least: 4, usual: 4, most: 365 },
} as const satisfies Readonly<Record<keyof Retention, object>>;

/** What is kept how long where the operator has set nothing. */
export const usualRetention: Retention = {
  eventDays: retentionBounds.eventDays.usual,
  deliveryLogDays: retentionBounds.deliveryLogDays.usual,
  auditDays: retentionBounds.auditDays.usual,
  answerHours: retentionBounds.answerHours.usual,
  signInAttemptHours: retentionBounds.signInAttemptHours.usual,
  mailDays: retentionBounds.mailDays.usual,
};
