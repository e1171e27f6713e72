// Has promtool (of Debian's prometheus) read the alert rules and the queries of the dashboard, and run each alert
// against series that fire it and series that do not.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitoringFolder, queriesOf, readDashboard } from '../monitoring-files.ts';

const promtool = (...args: string[]): void => {
  execFileSync('promtool', args, { cwd: monitoringFolder, stdio: 'inherit' });
};

const folder = await mkdtemp(join(tmpdir(), 'dealkeep-monitoring-'));
try {
  promtool('check', 'rules', 'alerts.yml');
  promtool('test', 'rules', 'alerts.test.yml');
  // Each query as a rule that records it, which is how promtool reads one.
  const rules = queriesOf(await readDashboard()).map((expr, at) => ({ record: `query:${at}`, expr }));
  const queries = join(folder, 'dashboard.json');
  await writeFile(queries, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  promtool('check', 'rules', queries);
} catch (error) {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    console.error('promtool is missing: it comes with Debian’s package prometheus');
  }
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
