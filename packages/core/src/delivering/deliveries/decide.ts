import {
  attemptsPerQuickWebhook,
  attemptsPerWebhook,
  nearRetryMs,
  quickAnswerMs,
  slowAttemptsInFlight,
  slowOrUnknownAttemptsInFlight,
  unknownAttemptsInFlight,
  unsignedHeldForMs,
} from '../../foundations/operating-limits.ts';

// What a worker decides while it delivers, but for the judgement of an attempt (judge.ts): values in, a value out.
// What is remembered between two decisions stands in `state`.

/** What is known of a webhook's answers. */
export type Known = 'nothing' | 'quick' | 'slow';

/** What is known of a webhook, and what is on its way to it. */
export interface Pace {
  readonly inFlight: number;
  /** So many may be in flight at once. */
  readonly most: number;
  readonly known: Known;
  /** The last attempt that took long arrived all the same. */
  readonly arrivesLate: boolean;
  /** It gets nothing until then, by the clock. */
  readonly restsUntil: number;
}

/** How busy a worker is. */
export interface Busyness {
  /** Attempts that may be in flight without taking long. */
  readonly fastSlots: number;
  /** Attempts in flight, by what was known of their webhooks; those that have come to take long are slow. */
  readonly taken: Readonly<Record<Known, number>>;
  /** Webhooks to which something is on its way. */
  readonly webhooks: number;
}

/** How many more attempts may start at a webhook now. */
export function attemptsToStart(pace: Pace, busy: Busyness, now: number): number {
  const { inFlight, most, known, arrivesLate, restsUntil } = pace;
  // Farther off it is by a clock that was set back since.
  if (restsUntil > now && restsUntil - now <= unsignedHeldForMs) return 0;
  const { fastSlots, webhooks } = busy;
  const { quick, nothing: unknown, slow } = busy.taken;
  const slowSlots = arrivesLate ? slowOrUnknownAttemptsInFlight - unknown : slowAttemptsInFlight;
  if (known === 'slow') return inFlight > 0 || slow >= slowSlots ? 0 : 1;
  const sharers = inFlight > 0 ? webhooks : webhooks + 1;
  const fair = Math.max(attemptsPerWebhook, Math.floor(fastSlots / sharers));
  const wanted = Math.min(most, fair) - inFlight;
  if (known === 'quick') {
    const free = fastSlots - quick - Math.min(unknown, fastSlots / 2);
    // Each gets one, however many share.
    return Math.max(inFlight > 0 ? 0 : 1, Math.min(wanted, Math.floor(free)));
  }
  const free = Math.min(unknownAttemptsInFlight - unknown, slowOrUnknownAttemptsInFlight - slow - unknown);
  // When many are tried, each is tried by one.
  return Math.max(0, Math.min(unknown < fastSlots / 4 ? wanted : 1 - inFlight, free));
}

/**
 * How many may be leased ahead, so that a busy webhook that answers quickly waits for no statement: as many again,
 * and more where few webhooks are busy.
 */
export function attemptsAhead({ known, most }: Pace, { fastSlots, webhooks }: Busyness): number {
  if (known !== 'quick' || most === attemptsPerWebhook) return 0;
  const share = Math.floor(fastSlots / Math.max(1, webhooks));
  return Math.max(most, Math.min(most * 4, share));
}

/**
 * How much may be leased for a webhook now: what may start, and what may be leased ahead; nothing while more than
 * half of the latter waits.
 *
 * @param waiting leased and not sent yet
 */
export const attemptsToLease = (start: number, ahead: number, waiting: number): number =>
  waiting * 2 > ahead ? 0 : start + ahead - waiting;

/** How an attempt ended. */
export interface Ended {
  readonly durationMs: number;
  readonly delivered: boolean;
}

/** What is known of a webhook after an attempt that did not take long, which still counts as in flight. */
export function paceAfter(pace: Pace, { durationMs, delivered }: Ended): Pick<Pace, 'known' | 'most'> {
  const { known, most, inFlight } = pace;
  if (known !== 'quick') return { known: 'quick', most: attemptsPerWebhook };
  if (!delivered || durationMs > quickAnswerMs)
    return { known, most: Math.max(attemptsPerWebhook, Math.floor(most / 2)) };
  if (inFlight * 2 >= most) return { known, most: Math.min(attemptsPerQuickWebhook, most + 1) };
  return { known, most };
}

/** How the run of a job stands. */
export interface RunStatus {
  /** Something may be due that is not leased. */
  readonly mayHaveMore: boolean;
  /** Others are to have their runs. */
  readonly isTimeUp: boolean;
  /** `attemptsToLease`. */
  readonly room: number;
  readonly inFlight: number;
  /** Leased and not sent yet. */
  readonly waiting: number;
  readonly known: Known;
  /** Runs of the worker, those that linger, and how many there may be. */
  readonly runs: { readonly all: number; readonly lingering: number; readonly slots: number };
}

/** `wait`: for its attempts. `linger`: for more to come. */
export type Step = 'lease' | 'wait' | 'linger' | 'end';

/** What the run of a job does next. */
export function nextStep(status: RunStatus): Step {
  const { mayHaveMore, isTimeUp, room, inFlight, waiting } = status;
  const isOver = mayHaveMore && isTimeUp;
  if (mayHaveMore && !isOver && room > 0) return 'lease';
  // What is in flight goes on without the run.
  if (inFlight > 0) return (isOver && waiting === 0) || !mayWait(status) ? 'end' : 'wait';
  // When more may be due, its webhook rests, or too many like it are in flight.
  return mayHaveMore || waiting > 0 || !mayLinger(status) ? 'end' : 'linger';
}

/** Half of the slots are taken. */
const isCrowded = ({ runs }: RunStatus): boolean => runs.all > runs.slots / 2;

/** A run whose attempts take long gives its job back, they go on without it. */
const mayWait = (status: RunStatus): boolean =>
  status.known === 'quick' || (status.known === 'nothing' && !isCrowded(status));

/**
 * One whose webhook answers quickly may linger while those that do take less than half of the slots: its next
 * delivery would stand behind the jobs of all others, which may be thousands that hang.
 */
const mayLinger = (status: RunStatus): boolean =>
  status.known === 'quick' ? status.runs.lingering < status.runs.slots / 2 : !isCrowded(status);

/** With so many attempts in flight, a round of leases waits for several runs. */
const busyFrom = 20;

/** Whether more runs are likely to ask for leases in a moment, beside so many that have asked. */
export const isWorthGathering = (inFlight: number, runs: number, asking: number): boolean =>
  inFlight >= busyFrom && runs > asking;

/** What was leased for a pace, too long ago: it would begin too soon before the next. */
export const isTooLate = ({ startBy }: { readonly startBy: number | undefined }, now: number): boolean =>
  startBy !== undefined && startBy < now;

/**
 * In how many milliseconds a retry is to have a job, which one that is near has; what comes later, the sweep finds.
 *
 * @param dueAt null when there is no retry
 */
export function jobOfRetryInMs(dueAt: string | null, now: number): number | undefined {
  if (dueAt === null) return undefined;
  const inMs = Math.max(0, Date.parse(dueAt) - now);
  return inMs <= nearRetryMs ? inMs : undefined;
}
