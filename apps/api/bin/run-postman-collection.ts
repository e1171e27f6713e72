// Runs the Postman collection that a running Dealkeep serves, from top to bottom, with newman, as customers would:
// every request is answered with success, and none is left out for want of what it needs.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationIds } from '@dealkeep/contract';
import { cachedInstall, run } from '@dealkeep/tooling';
import { reachableTarget, startDealkeep } from './start-dealkeep.ts';

interface Report {
  readonly run: { readonly executions: readonly { readonly response?: { readonly code: number } }[] };
}

const newman = join(await cachedInstall('newman-6.2.2'), 'node_modules', 'newman', 'bin', 'newman.js');
const folder = await mkdtemp(join(tmpdir(), 'dealkeep-postman-'));
try {
  const { origin, key, stop } = await startDealkeep(join(folder, 'data'));
  try {
    const collection = join(folder, 'postman.json');
    await writeFile(collection, await (await fetch(`${origin}/api/v1/openapi/postman.json`)).text());
    const report = join(folder, 'report.json');
    const values = [`key=${key}`, `targetUrl=${reachableTarget}`].flatMap((each) => ['--env-var', each]);
    const reporters = ['--reporters', 'cli,json', '--reporter-json-export', report];
    await run(process.execPath, [newman, 'run', collection, ...values, ...reporters], folder);
    const { executions }: Report['run'] = JSON.parse(await readFile(report, 'utf8')).run;
    const answered = executions.filter(({ response }) => response !== undefined);
    if (answered.length < operationIds.length) {
      throw new Error(`${answered.length} of ${operationIds.length} requests were sent`);
    }
    process.stdout.write(`${answered.length} requests of the Postman collection succeed.\n`);
  } finally {
    await stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
