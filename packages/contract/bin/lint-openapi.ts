// Holds the OpenAPI document against the recommended rules of Redocly and of Spectral. A warning counts as an error.
// Both weigh too much for every install, so they are fetched when somebody lints.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedInstall, run } from '@dealkeep/tooling';
import { openapiDocument } from '../src/index.ts';

const redocly = await cachedInstall('redocly-2.77.0');
const spectral = await cachedInstall('spectral-6.16.3');

const folder = await mkdtemp(join(tmpdir(), 'dealkeep-openapi-'));
try {
  const file = join(folder, 'public-v1.json');
  await writeFile(file, JSON.stringify(openapiDocument('https://api.dealkeep.example'), null, 2));
  await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended-strict]\ntelemetry: off\n');
  await writeFile(join(folder, '.spectral.yaml'), 'extends: [[spectral:oas, recommended]]\n');
  await run(
    join(redocly, 'node_modules', '.bin', 'redocly'),
    ['lint', '--config', join(folder, 'redocly.yaml'), '--lint-config', 'error', file],
    folder,
  );
  await run(
    join(spectral, 'node_modules', '.bin', 'spectral'),
    ['lint', '--ruleset', join(folder, '.spectral.yaml'), '--fail-severity', 'warn', file],
    folder,
  );
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
