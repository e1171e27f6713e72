import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export interface Received {
  count: number;
  /** Milliseconds since 1970. */
  first: number;
  last: number;
  perSecond: number[];
}

export interface BenchReceiver {
  url: string;
  /** Waits for so many since the last reset; answers what came. */
  received(count: number): Promise<Received>;
  reset(): Promise<void>;
  stop(): void;
}

/** A receiver in a process of its own, so that senders do not share its event loop. It answers after so long. */
export async function startBenchReceiver(delayMs = 0): Promise<BenchReceiver> {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      fileURLToPath(new URL('./receiver-process.ts', import.meta.url)),
      String(delayMs),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const port: string | undefined = (await createInterface(child.stdout)[Symbol.asyncIterator]().next()).value;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async received(count) {
      for (;;) {
        const seen: Received = JSON.parse(await (await fetch(url)).text());
        if (seen.count >= count) return seen;
        await sleep(20);
      }
    },
    async reset() {
      await fetch(url, { method: 'DELETE' });
    },
    stop: () => child.stdin.end(),
  };
}
