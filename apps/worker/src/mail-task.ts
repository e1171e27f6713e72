import type { Core } from '@dealkeep/core';
import { mailFlag, mailTask, pausedSince } from '@dealkeep/core/change';
import { type Mail, sendMail } from '@dealkeep/core/installation';
import type { TaskList } from 'graphile-worker';

/** The task that sends a mail; graphile-worker repeats one that failed, until it is given up. */
export const mailTaskList = ({
  core,
  post,
}: {
  core: Core;
  /** Sends one mail. */
  post: (mail: Mail) => Promise<void>;
}): TaskList => ({
  [mailTask]: async (payload, { job }) => {
    try {
      await sendMail(core, post, payload);
    } catch (error) {
      const said = job.attempts < job.max_attempts ? 'is tried again' : 'is given up';
      core.log.error({ error, mail: job.key }, `A mail could not be sent and ${said}`);
      throw error;
    }
  },
});

/** Asked before each job that is taken: no mail is while this process is held, or while everything is paused. */
export const heldFlags =
  ({ sql, deliveriesHeld }: Pick<Core, 'sql' | 'deliveriesHeld'>) =>
  async (): Promise<string[] | null> =>
    deliveriesHeld === true || (await pausedSince(sql)) !== null ? [mailFlag] : null;
