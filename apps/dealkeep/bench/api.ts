// `npm run bench -- api [--json] [--quick] [--autocannon] [--directus]`: how fast the API is, as ratios to a bare
// Hono "hello" in the same run.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { connect, migrate, noLimits } from '@dealkeep/core/foundations';
import { startEmbeddedPostgres, throwawayFolder } from '@dealkeep/embedded-postgres';
import { measureAssistants } from './assistants.ts';
import { measureBatches } from './batches.ts';
import { type BenchOrganization, fillOrganization, multiplyLeads } from './business.ts';
import { measureDepthAndSize } from './depth-and-size.ts';
import { type Figure, printFigures } from './figures.ts';
import { measureFilteredHooks } from './filtered-hooks.ts';
import { startLoadGenerator } from './processes.ts';
import { measureRatios } from './ratios.ts';
import { measureSearches } from './searches.ts';
import { measureSeveral } from './several.ts';
import { measureSideBySide } from './side-by-side.ts';
import { measureWaitingReaders } from './waiting-readers.ts';

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    /** A tenth of the data and of the time: to see whether a change helps. */
    quick: { type: 'boolean', default: false },
    /** `ratios`, `assistants`, `hooks`, `search`, `waiting`, `batches`, `several` or `size`: only these figures. */
    only: { type: 'string' },
    /** Load by autocannon, a public generator, which is installed on demand. */
    autocannon: { type: 'boolean', default: false },
    /** Besides, the same list and create of Directus, which is installed on demand (some 700 MB). */
    directus: { type: 'boolean', default: false },
  },
});
const scale = values.quick ? 0.1 : 1;
const organizations = 20;
const isWanted = (part: string): boolean => values.only === undefined || values.only === part;
const say = (line: string): void => void process.stderr.write(`${line}\n`);

const dataDir = await throwawayFolder();
const figures: Figure[] = [];
try {
  // As in production: every commit is synced.
  const server = await startEmbeddedPostgres({ dataDir, settings: { max_connections: 100 } });
  const load = startLoadGenerator(values);
  try {
    await migrate(server.url);
    const sql = connect(server.url, { connections: 4, name: 'bench', limits: noLimits });
    const alone = { url: server.url, sql, load, businesses: [], scale, say };
    if (values.only === 'hooks') {
      figures.push(await measureFilteredHooks(alone));
    } else if (values.only === 'search') {
      figures.push(...(await measureSearches(alone)));
    } else if (values.only === 'waiting') {
      figures.push(await measureWaitingReaders(alone));
    } else if (values.only !== 'size') {
      say(`Filling ${organizations} organizations …`);
      const businesses: BenchOrganization[] = [];
      for (let number = 1; number <= organizations; number += 1) {
        businesses.push(await fillOrganization(sql, `bench-${number}`, (100_000 * scale) / organizations));
      }
      await sql`vacuum analyze`;
      const bench = { url: server.url, sql, load, businesses, scale, say };
      if (isWanted('ratios')) figures.push(...(await measureRatios(bench)));
      if (isWanted('several')) figures.push(...(await measureSeveral(bench)));
      if (isWanted('assistants')) figures.push(...(await measureAssistants(bench)));
      if (isWanted('batches')) figures.push(...(await measureBatches(bench)));
      if (values.only === undefined) {
        figures.push(...(await measureSearches(bench)));
        figures.push(await measureFilteredHooks(bench));
        figures.push(await measureWaitingReaders(bench));
      }
      if (values.directus) figures.push(...(await measureSideBySide(bench)));
    }
    if (isWanted('size')) {
      say('Filling a small and a large organization …');
      const small = await fillOrganization(sql, 'small', 10_000 * scale);
      const large = await fillOrganization(sql, 'large', 10_000 * scale);
      await multiplyLeads(sql, large.id, 1_000_000 * scale);
      await sql`vacuum analyze`;
      figures.push(...(await measureDepthAndSize({ url: server.url, load, small, large, scale })));
    }
    await sql.end();
  } finally {
    load.stop();
    await server.stop();
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
  // Also when a later part failed.
  printFigures(figures, values.json);
}
process.exitCode = figures.every((figure) => figure.met) ? 0 : 1;
