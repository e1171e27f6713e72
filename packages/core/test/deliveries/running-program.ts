import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface ProgramOptions {
  databaseUrl: string;
  secretsKey: string;
  /** As `ROLES`. Default `api,worker`. */
  roles?: string;
  /** Further variables of the environment. */
  variables?: Record<string, string>;
}

/** `dealkeep start` in a process of its own. */
export interface RunningProgram {
  pid: number;
  /** The API's root; empty without the API. */
  baseUrl: string;
  /** Everything that it has written so far. */
  output(): string;
  /** How it ended, when it has: the exit code or the signal. */
  ended(): number | string | undefined;
  /** Sends the signal, waits for the end; answers the exit code, null after SIGKILL. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const bin = fileURLToPath(new URL('../../../../apps/dealkeep/bin/dealkeep.js', import.meta.url));

/** Starts the real program on a migrated database and any free port. Receivers on this machine are allowed. */
export async function startProgram({
  databaseUrl,
  secretsKey,
  roles = 'api,worker',
  variables = {},
}: ProgramOptions): Promise<RunningProgram> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', bin, 'start'], {
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: secretsKey,
      ROLES: roles,
      PORT: '0',
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.0/8',
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: '0',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let output = '';
  const ready = new Promise<string>((resolve, reject) => {
    const read = (text: string): void => {
      output += text;
      const line = /^\{.*"msg":"Dealkeep is ready\."\}$/m.exec(output)?.[0];
      if (line !== undefined) resolve(String(JSON.parse(line).api ?? ''));
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read);
    child.once('error', reject);
    child.once('close', (code) =>
      reject(new Error(`dealkeep start ended with ${code} before it was ready:\n${output}`)),
    );
  });
  const baseUrl = await ready;
  return {
    pid: child.pid ?? 0,
    baseUrl,
    output: () => output,
    ended: () => child.exitCode ?? child.signalCode ?? undefined,
    async end(signal) {
      child.kill(signal);
      await closed;
      return child.exitCode;
    },
  };
}
