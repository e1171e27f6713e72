import { locateBinaries } from './binaries.ts';
import type { DataFolder } from './data-folder.ts';
import { waitForEnd } from './postmaster.ts';
import { runProgram } from './server-process.ts';

const patience = 60_000;

/** Ends the server: open transactions are rolled back, data written out. The next start recovers nothing. */
export async function stopServer(folder: DataFolder, pid: number): Promise<void> {
  if (process.platform === 'win32') {
    // Windows has no signals between processes; PostgreSQL brings its own there.
    const surroundings = { binaries: await locateBinaries({}), user: {}, cwd: folder.cluster };
    return runProgram('pg_ctl', ['stop', '-D', folder.cluster, '-m', 'fast'], surroundings);
  }
  process.kill(pid, 'SIGINT');
  if (await waitForEnd(pid, patience)) return;
  // Ends at once; the next start recovers from the write-ahead log.
  process.kill(pid, 'SIGQUIT');
  if (!(await waitForEnd(pid, patience))) throw new Error(`PostgreSQL (process ${pid}) does not end`);
}
