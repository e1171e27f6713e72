import { resources } from '@dealkeep/contract';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { isPermitted, requirePermitted } from '../../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../../context.ts';
import { page } from '../../frame/page.ts';
import { bar, choices, linkButton, type Markup, trail } from '../../markup.ts';
import { isPrinted } from '../print/print-page.ts';
import type { RecordKind } from '../record-kind.ts';
import { doneNotice } from '../step-routes.ts';
import { factCards, factTables, withNames } from './facts.ts';
import { nextStep } from './next-step.ts';
import { noteCard, noteField, type RefusedNote } from './note.ts';
import { openWork, type RefusedWork } from './open-work.ts';
import { countRelated, relatedCards } from './related.ts';
import { stageBar } from './stage-bar.ts';
import { pageSay } from './texts.ts';
import { readTimeline, timelineSection } from './timeline.ts';

interface Refused {
  readonly note?: RefusedNote;
  readonly work?: RefusedWork;
}

/**
 * One record as a place to work: where it stands and what comes next, what is known of it, what belongs to it, what
 * is to be done, and what happened. Two round trips to the database, whatever belongs to it.
 *
 * @param refused what was sent from the page and could not be saved
 */
export async function recordPage(
  c: ConsoleContext,
  kind: RecordKind,
  id: string,
  refused: Refused = {},
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  requirePermitted(c, kind.resource, kind);
  const [read, counts, timeline, ownFields = []] = await Promise.all([
    kind.get(c, id),
    countRelated(c, kind, id),
    readTimeline(c, kind, id),
    kind.ownFields?.(c),
  ]);
  const own = new Map(ownFields.map((field) => [field.name, field]));
  const sections = kind.sections.map((section) => ({
    ...section,
    fields: section.fields
      // The note and the records that belong to it have a place of their own.
      .filter(({ name, resource }) => name !== noteField(kind) && !(resource && counts.has(resource)))
      .map((field) => own.get(field.name) ?? field),
  }));
  const known = { ...kind, fields: kind.fields.map((field) => own.get(field.name) ?? field) };
  const [record, stages, related, work] = await Promise.all([
    withNames(c, read),
    stageBar(c, kind, read),
    relatedCards(c, kind, read, counts),
    openWork(c, kind, read, refused.work),
  ]);
  const language = c.get('language');
  const text = pageSay(language);
  const { label, plural } = resources[kind.resource];
  const title = kind.titleOf(record) || text('unnamed');
  const isArchived = typeof record['archived_at'] === 'string';
  const edits = kind.update && !isArchived && isPermitted(c, kind.resource, kind.update);
  const edit = edits ? linkButton(`${kind.path}/${id}/edit`, text('edit'), 'secondary') : '';
  const print = isPrinted(kind) ? linkButton(`${kind.path}/${id}/print`, text('print'), 'secondary') : '';
  const content = html`${trail(kind.path, plural[language])}
${bar(html`${title} <span class="kind">${label[language]}</span>`, choices(nextStep(c, kind, record), print, edit))}
${doneNotice(c, kind.steps)}
${stages}
<div class="record"><div class="facts">${factCards(c, record, sections, title)}${related}</div>
<div>${factTables(c, record, sections)}${noteCard(c, kind, record, refused.note)}${work}
${timelineSection(c, known, record, timeline)}${auditLink(c, id)}</div></div>`;
  return page(c, { title, content }, status);
}

/** For owners: who did what with the record. */
const auditLink = (c: ConsoleContext, id: string): Markup | string =>
  sessionOf(c).user.permissions === 'owner'
    ? html`<p><a href="/settings/audit-log?record_id=${id}">${pageSay(c.get('language'))('auditLog')}</a></p>`
    : '';
