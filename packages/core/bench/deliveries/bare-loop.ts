import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface BareLoop {
  /** Posts so many; resolves when all are answered. */
  post(count: number): Promise<void>;
  stop(): void;
}

/** A loop that only signs and posts, so many at once, in a process of its own. */
export function startBareLoop(url: string, concurrency: number): BareLoop {
  const script = fileURLToPath(new URL('./bare-loop-process.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', script, url, String(concurrency)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    async post(count) {
      child.stdin.write(`${count}\n`);
      if ((await lines.next()).done) throw new Error('The bare loop has ended');
    },
    stop: () => child.stdin.end(),
  };
}
