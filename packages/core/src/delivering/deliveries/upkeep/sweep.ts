import { deliverTask, supersededJobs, webhooksWithoutJob } from '../../../change/queue/delivery-jobs.ts';
import { pausesMark } from '../../../change/queue/queue-pauses.ts';
import { isLost, noWorker } from '../../../change/queue/worker-presence.ts';
import type { Clock } from '../../../foundations/clock.ts';
import type { QueueConnections } from '../../../foundations/database/connect-queue.ts';
import type { Log } from '../../../foundations/log.ts';
import { freeLostLeases, freeUnknownLeases } from '../lease/free-leases.ts';
import type { DueJobs } from '../state/due-jobs.ts';
import type { HeldLeases } from '../state/held-leases.ts';
import type { JobRuns } from '../state/job-runs.ts';

interface SweepOptions {
  queue: QueueConnections;
  workerId: number;
  clock: Clock;
  log: Log;
  leases: HeldLeases;
  /** They end when a pause has begun or ended: what is leased already and waits is not sent under a pause. */
  runs: JobRuns;
  jobs: DueJobs;
}

interface Seen {
  /** Some worker is lost. */
  is_lost: boolean;
  /**
   * What has jobs in its hands, and is no living worker's: graphile-worker itself would keep them for four hours.
   */
  pools: string[];
  /** Another one whenever a pause began or ended. */
  pauses: string;
  /** There are jobs in whose place others came while a worker that died had them. */
  are_superseded: boolean;
}

/**
 * Frees what lost workers held, and finds what is due without a job. No lease of this worker may be taken meanwhile.
 */
export class Sweep {
  readonly #options: SweepOptions;
  /** The last sweep came to this webhook; those behind it are next. */
  #walkedTo: string | undefined;
  /** The walk goes on to its end, whatever it finds. */
  #walksOn = true;
  /** What was paused at the last sweep; where something is resumed, it waits without a job. */
  #pauses: string | undefined;
  /** Leases of ours may not be known here, and jobs in our name not be in our hands: the next sweep frees them. */
  #lostTrack = false;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  /** Something may have been left that nobody will come back to. */
  #walkAll(): void {
    this.#walkedTo = undefined;
    this.#walksOn = true;
  }

  /** Answers whether it is to go on at once. */
  async go(): Promise<boolean> {
    const { queue, workerId, clock, log, leases, runs, jobs } = this.#options;
    const { claims } = queue;
    if (leases.takeDoubt()) {
      this.#lostTrack = true;
      this.#walkAll();
    }
    // A worker that cannot say which of the jobs in its name it has: all of them count as lost. One that it runs all
    // the same is taken once more, and finds the run of its webhook.
    const doubted = this.#lostTrack ? workerId : noWorker;
    const [seen] = await claims<Seen[]>`
      select exists (select from workers w where ${isLost(claims, workerId)}) as is_lost,
             ${pausesMark(claims)} as pauses,
             array(select distinct job.locked_by from graphile_worker.jobs job
                   where job.locked_by is not null and job.task_identifier = ${deliverTask} and not exists (
                     select from workers w where w.job_pool = job.locked_by and w.worker_id <> ${doubted})
             ) as pools,
             cardinality(${supersededJobs(claims)}) > 0 as are_superseded`;
    if (!seen) throw new Error('A look at the queue gave no row');
    if (seen.pools.length > 0)
      await claims`select graphile_worker.force_unlock_workers(${seen.pools}::text[])`;
    if (seen.are_superseded) await claims`select graphile_worker.complete_jobs(${supersededJobs(claims)})`;
    let freed = seen.is_lost ? await freeLostLeases(claims, workerId) : 0;
    if (this.#lostTrack) {
      const unknown = await freeUnknownLeases(claims, workerId, leases.ids);
      freed += unknown.freed;
      this.#lostTrack = !unknown.all;
    }
    if (freed > 0) log.info({ deliveries: freed }, 'Took over deliveries that a lost worker held');
    const isOther = this.#pauses !== undefined && seen.pauses !== this.#pauses;
    this.#pauses = seen.pauses;
    if (isOther) runs.endAll();
    if (seen.pools.length + freed > 0 || isOther) this.#walkAll();
    const { found, walkedTo } = await webhooksWithoutJob(claims, clock.now().toISOString(), this.#walkedTo);
    const added = found.filter((webhook) => jobs.add(webhook)).length;
    this.#walkedTo = walkedTo ?? undefined;
    if (walkedTo === null) this.#walksOn = false;
    // Where some were found there may be more. Leases are taken in between.
    return walkedTo !== null && (this.#walksOn || added > 0);
  }
}
