import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { cachedInstall } from '@dealkeep/tooling';
import { onTestFinished } from 'vitest';

/** Something that the judge looked at. */
export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

const installation = await cachedInstall('mcp-conformance-0.2.0-alpha.12');
const program = join(installation, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

/** Runs the judge that the protocol's makers have written; `onLine` hears what it prints. */
export async function judge(
  args: readonly string[],
  onLine: (line: string) => void = () => {},
): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), 'dealkeep-conformance-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const child = spawn(process.execPath, [program, ...args, '--output-dir', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  createInterface({ input: child.stdout }).on('line', onLine);
  const [stderr] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const checks: Check[] = [];
  for (const run of await readdir(folder)) {
    // `server-ping-2026-11-23T09-39-09-591Z`
    const scenario = run.replace(/^(server|authorization)-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '');
    const found: Omit<Check, 'scenario'>[] = JSON.parse(
      await readFile(join(folder, run, 'checks.json'), 'utf8'),
    );
    checks.push(...found.map((check) => ({ ...check, scenario })));
  }
  if (checks.length === 0) throw new Error(`The judge looked at nothing: ${stderr}`);
  return checks;
}
