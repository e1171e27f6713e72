import type { Hono } from 'hono';
import type { ConsoleEnvironment } from '../context.ts';
import { suggestionsPath } from '../frame/search-field.ts';
import { boardPage, moreCards } from './board/board-page.ts';
import { moveCard } from './board/move-card.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { calendarPage } from './calendar/calendar-page.ts';
import { choiceRoutes } from './choice-routes.ts';
import { editRoutes } from './edit-routes.ts';
import { exportList, exportName } from './export-list.ts';
import { listPage } from './list-page.ts';
import { pageRoutes } from './page/page-routes.ts';
import { isPrinted, printPage } from './print/print-page.ts';
import type { RecordKind } from './record-kind.ts';
import { recordKinds } from './record-kinds.ts';
import { searchPage } from './search-page.ts';
import { stepRoutes } from './step-routes.ts';
import { suggestions } from './suggestions.ts';
import { viewRoutes } from './view-routes.ts';

/**
 * Lists, pages, forms and steps of all records, the board of leads, the calendar of bookings, what is printed, and
 * the search.
 */
export function recordRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get('/search', (c) => searchPage(c));
  app.get(suggestionsPath, (c) => suggestions(c));
  viewRoutes(app);
  choiceRoutes(app);
  for (const kind of recordKinds) {
    app.get(kind.path, (c) => listPage(c, kind));
    app.get(`${kind.path}/${exportName}`, (c) => exportList(c, kind));
    if (kind.resource === 'lead') boardRoutes(app, kind);
    if (kind.resource === 'booking') app.get('/bookings/calendar', (c) => calendarPage(c, kind));
    if (isPrinted(kind)) app.get(`${kind.path}/:id/print`, (c) => printPage(c, kind, c.req.param('id')));
    editRoutes(app, kind);
    bulkRoutes(app, kind);
    pageRoutes(app, kind);
    stepRoutes(app, kind);
  }
}

/**
 * The board of leads. Its script moves cards by the address of the step itself, and asks for an answer that it can
 * read.
 */
function boardRoutes(app: Hono<ConsoleEnvironment>, leads: RecordKind): void {
  app.get('/leads/board', (c) => boardPage(c, leads));
  app.get('/leads/board/cards', (c) => moreCards(c, leads));
  app.post('/leads/:id/move', (c, next) =>
    c.req.header('accept') === 'application/json' ? moveCard(c, c.req.param('id')) : next(),
  );
}
