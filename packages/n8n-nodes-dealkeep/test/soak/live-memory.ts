import { readFile } from 'node:fs/promises';
import { waitFor } from '../real/wait-for.ts';

export interface LiveMemory {
  /** What is reachable, of V8's heap. In megabytes, like the other. */
  heap: number;
  /** What the process occupies of the machine's memory. */
  resident: number;
}

/**
 * What a process holds when everything that it no longer needs has been collected: before that, memory tells when
 * the collector last ran, not what is kept.
 *
 * @param inspector port of Node's inspector in the process
 */
export async function liveMemory(processId: number, inspector: number): Promise<LiveMemory> {
  const targets: unknown = await (await fetch(`http://127.0.0.1:${inspector}/json/list`)).json();
  const address = Array.isArray(targets) ? targets[0]?.webSocketDebuggerUrl : undefined;
  const socket = new WebSocket(String(address));
  const answers = new Map<number, { result?: { usedSize?: number } }>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data));
    answers.set(answer.id, answer);
  });
  await waitFor('the inspector', 10_000, () => socket.readyState === WebSocket.OPEN);
  const call = (id: number, method: string) => {
    socket.send(JSON.stringify({ id, method }));
    return waitFor(method, 60_000, () => answers.get(id));
  };
  await call(1, 'HeapProfiler.collectGarbage');
  const { result } = await call(2, 'Runtime.getHeapUsage');
  socket.close();
  const status = await readFile(`/proc/${processId}/status`, 'utf8');
  return {
    heap: Number(result?.usedSize) / 2 ** 20,
    resident: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
  };
}
