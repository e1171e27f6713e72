import { readdir, readFile } from 'node:fs/promises';
import type { Database } from '@dealkeep/core/foundations';

// Linux alone tells it; elsewhere everything is 0.
const ticksPerSecond = 100;

/** Seconds of CPU that a process has used. */
export async function cpuOf(pid: number | string): Promise<number> {
  const fields = await statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Those of PostgreSQL, with the processes of all connections; of those that have ended, too. */
export async function cpuOfServer(sql: Database): Promise<number> {
  const [row] = await sql<{ postmaster: string }[]>`
    select split_part(pg_read_file('postmaster.pid'), chr(10), 1) as postmaster`;
  const server = row?.postmaster ?? '';
  const own = await statOf(server);
  const ended = (Number(own[13]) + Number(own[14])) / ticksPerSecond;
  let seconds = ended + (await cpuOf(server));
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [, parent] = await statOf(pid);
    if (parent === server) seconds += await cpuOf(pid);
  }
  return seconds;
}

/** What Linux says of a process, from its state on; nothing of one that has ended. */
async function statOf(pid: number | string): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text === '' ? Array(15).fill('0') : text.slice(text.lastIndexOf(')') + 2).split(' ');
}
