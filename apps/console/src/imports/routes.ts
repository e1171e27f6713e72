import { Problem } from '@dealkeep/core/foundations';
import {
  discardImport,
  getImport,
  type Import,
  isImportKind,
  startImport,
  stopImport,
  undoImport,
} from '@dealkeep/core/operations';
import type { Hono } from 'hono';
import { idIn } from '../auth/permitted.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { stepConflictPage } from '../forms/send.ts';
import { importPath } from '../records/import-path.ts';
import { recordKinds } from '../records/record-kinds.ts';
import { importAddress } from './addresses.ts';
import { importPage } from './import-pages.ts';
import { recordKindOf } from './import-words.ts';
import { chooseColumns } from './mapping-page.ts';
import { reportFile } from './report.ts';
import { receiveFile, uploadPage } from './upload-page.ts';

/**
 * Import of records from CSV files: a file, its columns, a preview with every error, the run, its report and its
 * undoing.
 */
export function importRoutes(app: Hono<ConsoleEnvironment>): void {
  for (const record of recordKinds) {
    const kind = record.resource;
    if (!isImportKind(kind)) continue;
    app.get(importPath(record), (c) => uploadPage(c, record, kind));
    app.post(importPath(record), (c) => receiveFile(c, record, kind));
  }
  app.get('/imports/:id', async (c) => importPage(c, await importIn(c)));
  app.get('/imports/:id/report.csv', async (c) => reportFile(c, await importIn(c)));
  app.post('/imports/:id/columns', (c) => step(c, (found) => chooseColumns(c, found)));
  app.post('/imports/:id/run', (c) => stepBack(c, startImport));
  app.post('/imports/:id/stop', (c) => stepBack(c, stopImport));
  app.post('/imports/:id/undo', (c) => stepBack(c, undoImport));
  app.post('/imports/:id/discard', (c) =>
    step(c, async (found) => {
      await discardImport(c.get('core'), sessionOf(c), found.id);
      return c.redirect(`${importPath(recordKindOf(found))}?done=discarded`, 303);
    }),
  );
}

/** Raises NOT_FOUND for one of somebody else. */
const importIn = (c: ConsoleContext): Promise<Import> => getImport(c.get('core'), sessionOf(c), idIn(c));

const stepBack = (c: ConsoleContext, work: typeof startImport): Promise<Response> =>
  step(c, async (found) => {
    await work(c.get('core'), sessionOf(c), found.id);
    return c.redirect(importAddress(found), 303);
  });

/** Does something with an import; says so where its state does not allow it any more. */
async function step(c: ConsoleContext, work: (found: Import) => Promise<Response>): Promise<Response> {
  const found = await importIn(c);
  try {
    return await work(found);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'CONFLICT') throw error;
    return stepConflictPage(c, { back: importAddress(found), problem: error });
  }
}
