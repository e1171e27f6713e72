import type { Services } from '../../change/services.ts';
import { inTransaction } from '../../foundations/database/in-transaction.ts';
import { importSliceMs } from '../../foundations/operating-limits.ts';
import { Problem } from '../../foundations/problem.ts';
import { checkRows } from './check-import.ts';
import type { ImportPlace } from './import-jobs.ts';
import { addImportJob } from './import-jobs.ts';
import { findImporter, type Importer } from './importer.ts';
import { findImport, type Import, type ImportStatus, stopWork } from './imports.ts';
import { importRows } from './run-import.ts';
import { undoRecords } from './undo-import.ts';

type Step = (core: Services, place: ImportPlace, found: Import, importer: Importer) => Promise<boolean>;

/** What a worker does in each state, a part at a time; each answers whether anything is left. */
const steps: Readonly<Partial<Record<ImportStatus, Step>>> = { checking: checkRows, running: importRows };

/**
 * Goes on with an import for a while, and leaves a job for the rest, so that other imports and tasks have their
 * turn. An import that its user may no longer do ends, with the reason.
 */
export async function workOnImport(
  core: Services,
  place: ImportPlace,
  sliceMs: number = importSliceMs,
): Promise<void> {
  const found = await findImport(core.sql, place);
  const goOn = found && (await partOf(core, place, found));
  if (!goOn) return;
  const end = performance.now() + sliceMs;
  for (;;) {
    const isLeft = await goOn();
    await core.sql`
      update imports set worked_at = now() where organization_id = ${place.organization} and id = ${place.id}`;
    if (!isLeft) return;
    if (performance.now() >= end) return addImportJob(core.sql, place);
  }
}

/** What does the next part of it and answers whether any is left; undefined where nothing is to be done. */
async function partOf(
  core: Services,
  place: ImportPlace,
  found: Import,
): Promise<(() => Promise<boolean>) | undefined> {
  // Whoever asked for it may, whatever became of the one who began the import.
  if (found.status === 'undoing') return () => undoRecords(core, place);
  const step = steps[found.status];
  const importer = step && (await importerOf(core, place, found));
  return importer && (() => step(core, place, found, importer));
}

async function importerOf(core: Services, place: ImportPlace, found: Import): Promise<Importer | undefined> {
  try {
    return await findImporter(core, place, found);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const stopped = { key: error.key, values: { ...error.values } };
    await inTransaction(core.sql, (tx) => stopWork(tx, place, core.clock.now(), stopped));
    return undefined;
  }
}
