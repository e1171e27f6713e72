import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { migrate } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres, throwawayFolder, throwawaySettings } from '@dealkeep/embedded-postgres';
import { onTestFinished } from 'vitest';

/** A PostgreSQL of the test's own that can be made to hang: it is there, takes connections, and says nothing. */
export interface HangingServer {
  /** Of a migrated database. */
  url: string;
  /** Stops every process of the server where it stands. */
  hang(): Promise<void>;
  goOn(): void;
}

export async function startHangingServer(): Promise<HangingServer> {
  const dataDir = await throwawayFolder();
  const server = await startEmbeddedPostgres({ dataDir, settings: throwawaySettings });
  let stopped: number[] = [];
  const goOn = (): void => {
    for (const pid of stopped.splice(0)) process.kill(pid, 'SIGCONT');
  };
  onTestFinished(async () => {
    goOn();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  await migrate(server.url);
  const [first = ''] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const postmaster = Number(first);
  return {
    url: server.url,
    async hang() {
      // First of all itself, so that it makes no further ones.
      process.kill(postmaster, 'SIGSTOP');
      stopped = [postmaster];
      for (const pid of await childrenOf(postmaster)) {
        process.kill(pid, 'SIGSTOP');
        stopped.push(pid);
      }
    },
    goOn,
  };
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 1);
  const parents = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      return Number(stat.slice(stat.lastIndexOf(')') + 4).split(' ')[0]);
    }),
  );
  return pids.filter((_, at) => parents[at] === parent);
}
