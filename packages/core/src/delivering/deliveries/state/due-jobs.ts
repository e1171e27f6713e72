import type { DeliveryJobs, WebhookKey } from '../../../change/queue/delivery-jobs.ts';
import type { JobRuns } from './job-runs.ts';

/** Jobs for webhooks that this worker has more to send to, and those that have none because there is no room. */
export class DueJobs {
  readonly #jobs: DeliveryJobs;
  readonly #runs: JobRuns;
  /** Webhooks whose run has ended before everything that was due was leased, and that had no room for more. */
  readonly #owed = new Set<string>();
  /** Webhooks that wait for their pace, until its moment: a job would be found half a second later. */
  readonly #paced = new Map<string, NodeJS.Timeout>();

  constructor({ jobs, runs }: { jobs: DeliveryJobs; runs: JobRuns }) {
    this.#jobs = jobs;
    this.#runs = runs;
  }

  /** Where there is room for more of a webhook. Answers whether there is. */
  add({ organization_id, webhook_id }: WebhookKey): boolean {
    if (this.#runs.isStopping) return true;
    if (this.#runs.roomToLease(webhook_id) === 0) return false;
    this.#jobs.add(organization_id, [webhook_id]);
    return true;
  }

  /** What there is no room for yet follows when an attempt ends, or is found by the sweep. */
  addOrOwe(key: WebhookKey): void {
    if (!this.add(key)) this.#owed.add(key.webhook_id);
  }

  /** An attempt has ended: there may be room for what is owed. */
  payOwed(key: WebhookKey): void {
    if (this.#owed.delete(key.webhook_id)) this.addOrOwe(key);
  }

  /** When this process ends before, the sweep of another finds what is due. */
  addIn(key: WebhookKey, inMs: number): void {
    const { webhook_id: webhook } = key;
    clearTimeout(this.#paced.get(webhook));
    const add = (): void => {
      this.#paced.delete(webhook);
      this.add(key);
    };
    this.#paced.set(webhook, setTimeout(add, inMs).unref());
  }
}
