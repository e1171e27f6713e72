import type { Clock } from '../../../foundations/clock.ts';
import { runMs } from '../../../foundations/operating-limits.ts';
import { Pause } from '../../../foundations/pause.ts';
import { attemptsToLease, nextStep, type Step } from '../decide.ts';
import type { Leased } from '../lease/lease.ts';
import type { AttemptSlots } from './attempt-slots.ts';

/** A job under way: what its webhook gets in it. */
export class JobRun {
  /** Something may be due that is not leased. */
  mayHaveMore = true;
  isEnded = false;
  /** What is leased and not sent yet. */
  readonly waiting: Leased[] = [];
  /** When others are to have their runs, by the uptime of the machine. */
  #endsAt = performance.now() + runMs;
  readonly #pause = new Pause();

  get isTimeUp(): boolean {
    return performance.now() > this.#endsAt;
  }

  /** It has caught up: what comes from now on is not the backlog that others would wait for. */
  beginAnew(): void {
    this.#endsAt = performance.now() + runMs;
  }

  /** Until something changes that it decides by. */
  pause(ms: number): Promise<void> {
    return this.#pause.take(ms);
  }

  /** An attempt has ended, or has come to take long. */
  goOn(): void {
    this.#pause.end();
  }

  /** Looks once more. */
  notice(): void {
    this.mayHaveMore = true;
    this.#pause.end();
  }

  end(): void {
    this.isEnded = true;
    this.#pause.end();
  }
}

/** The runs under way, by their webhooks, and what each may do. */
export class JobRuns {
  /** The worker stops: there are no more runs. */
  isStopping = false;
  readonly #slots: AttemptSlots;
  readonly #clock: Clock;
  readonly #atOnce: number;
  readonly #runs = new Map<string, JobRun>();
  /** Those that have nothing to send and wait for more. */
  #lingering = 0;

  /** @param atOnce how many there may be */
  constructor({ slots, clock, atOnce }: { slots: AttemptSlots; clock: Clock; atOnce: number }) {
    this.#slots = slots;
    this.#clock = clock;
    this.#atOnce = atOnce;
  }

  get size(): number {
    return this.#runs.size;
  }

  of(webhook: string): JobRun | undefined {
    return this.#runs.get(webhook);
  }

  begin(webhook: string): JobRun {
    const run = new JobRun();
    this.#runs.set(webhook, run);
    return run;
  }

  over(webhook: string): void {
    this.#runs.delete(webhook);
  }

  /** A run that is under way looks once more. Answers false when there is none. */
  lookAgain(webhook: string): boolean {
    const run = this.#runs.get(webhook);
    run?.notice();
    return run !== undefined;
  }

  /** All end; what they have sent goes on. */
  endAll(): void {
    for (const run of this.#runs.values()) run.end();
  }

  stop(): void {
    this.isStopping = true;
    this.endAll();
  }

  async linger(run: JobRun, ms: number): Promise<void> {
    this.#lingering += 1;
    await run.pause(ms);
    this.#lingering -= 1;
  }

  /** How many attempts may start at a webhook now. */
  roomToStart(webhook: string): number {
    return this.#slots.roomOf(webhook, this.#clock.now().getTime());
  }

  /** How much may be leased for a webhook now. */
  roomToLease(webhook: string): number {
    const waiting = this.#runs.get(webhook)?.waiting.length ?? 0;
    return attemptsToLease(this.roomToStart(webhook), this.#slots.aheadOf(webhook), waiting);
  }

  nextStep(webhook: string, { mayHaveMore, isTimeUp, waiting }: JobRun): Step {
    return nextStep({
      mayHaveMore,
      isTimeUp,
      room: this.roomToLease(webhook),
      inFlight: this.#slots.inFlight(webhook),
      waiting: waiting.length,
      known: this.#slots.known(webhook),
      runs: { all: this.#runs.size, lingering: this.#lingering, slots: this.#atOnce },
    });
  }
}
