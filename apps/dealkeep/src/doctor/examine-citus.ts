import { type Database, type DistributionStatus, distributionStatus } from '@dealkeep/core/foundations';
import type { Configuration } from '../configuration.ts';
import type { Finding } from './finding.ts';

const check = 'Several servers';

/** How a database does that is spread over several servers by Citus; nothing where there is none. */
export async function citusFindings(
  sql: Database,
  { backups }: Pick<Configuration, 'backups'>,
): Promise<Finding[]> {
  const standing = await distributionStatus(sql);
  if (!standing) return [];
  const findings = [citusFinding(standing)];
  if (backups !== undefined && standing.distributed > 0) {
    const finding =
      'BACKUP_DIR is set, and no backup of several servers is made while a process runs: they have no moment in common';
    const mend = 'Empty BACKUP_DIR, and make backups while all processes are stopped (docs/citus.md).';
    findings.push({ check, state: 'warning', finding, mend });
  }
  return findings;
}

function citusFinding({
  version,
  workers,
  undistributed,
  distributed,
  keysMissing,
}: DistributionStatus): Finding {
  const away = workers.filter((worker) => worker.version === undefined).map(({ name }) => name);
  if (away.length > 0) {
    const mend =
      'Start it, or mend the way there: what the organizations on it have can neither be read nor written meanwhile.';
    return { check, state: 'failed', finding: `${away.join(', ')} does not answer this one`, mend };
  }
  const other = workers.filter((worker) => worker.version !== version);
  if (other.length > 0) {
    const finding = `this one has Citus ${version}, ${other.map((each) => `${each.name} has ${each.version}`).join(', ')}`;
    const mend =
      'Install the same version on each, and `alter extension citus update` in this database of each.';
    return { check, state: 'failed', finding, mend };
  }
  if (distributed === 0) {
    const mend =
      'Without a need for it, leave it so. docs/citus.md says when it pays, and what is other there.';
    return { check, state: 'ok', finding: `Citus ${version} is there, no table is distributed`, mend };
  }
  if (undistributed.length > 0 || keysMissing > 0) {
    const finding = `${undistributed.length} of ${distributed + undistributed.length} tables of records are not distributed, ${keysMissing} foreign keys are not made again`;
    const mend = 'It was ended in the middle: stop all processes, and run `npx dealkeep scale-out` again.';
    return { check, state: 'failed', finding, mend };
  }
  const bytes = workers.map((worker) => worker.bytes);
  if (Math.max(...bytes) > leastUnevenBytes && Math.max(...bytes) > 2 * Math.min(...bytes)) {
    const finding = `they are not even: ${workers.map((each) => `${each.name} has ${Math.round(each.bytes / 1e6)} MB`).join(', ')}`;
    const mend =
      'As an administrator: `select citus_rebalance_start()`. One large organization stays on one server.';
    return { check, state: 'warning', finding, mend };
  }
  const finding = `${distributed} tables are distributed over ${workers.map(({ name }) => name).join(', ')}, Citus ${version}`;
  return { check, state: 'ok', finding };
}

/** Below, a single organization decides. */
const leastUnevenBytes = 1_000_000_000;
