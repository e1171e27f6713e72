import type { Core } from '@dealkeep/core';
import { ImportJob, importTask, workOnImport } from '@dealkeep/core/operations';
import type { TaskList } from 'graphile-worker';

/** The task that works on an import for a while; graphile-worker repeats one that failed. */
export const importTaskList = (core: Core): TaskList => ({
  [importTask]: async (payload) => {
    const place = ImportJob.parse(payload);
    try {
      await workOnImport(core, place);
    } catch (error) {
      core.log.error({ error, organization: place.organization, import: place.id }, 'An import has failed');
      throw error;
    }
  },
});
