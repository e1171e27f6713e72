import { limits } from '@dealkeep/contract';
import { noteExport } from '@dealkeep/core/change';
import { byteOrderMark, csvText } from '@dealkeep/core/installation';
import { runAsUser } from '@dealkeep/core/operations';
import { requireOwner } from '../../auth/permitted.ts';
import type { ConsoleContext } from '../../context.ts';
import { csvStyles, streamOf } from '../../values/csv-stream.ts';
import { changesOf, type Entry, sentenceText } from './audit-words.ts';
import { auditSay } from './texts.ts';

/**
 * The log as CSV for a spreadsheet, with its filters, sent while it is read: page by page, on the connections for
 * slow work. Texts that a spreadsheet would run as a formula are guarded by `csvText`. That it was taken out is told
 * in the log.
 */
export async function exportLog(
  c: ConsoleContext,
  query: readonly (readonly [string, string])[],
): Promise<Response> {
  const session = requireOwner(c);
  await noteExport(c.get('core'), session, 'audit-entry');
  const day = c.get('core').clock.now().toISOString().slice(0, 10);
  return new Response(streamOf(c, pagesOf(c, query)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="audit-log-${day}.csv"`,
      'Cache-Control': 'no-store',
    },
  });
}

async function* pagesOf(
  c: ConsoleContext,
  query: readonly (readonly [string, string])[],
): AsyncGenerator<string, void> {
  const text = auditSay(c.get('language'));
  const style = csvStyles[c.get('language')];
  const core = c.get('core');
  const headings = [
    text('when'),
    text('what'),
    text('changes'),
    text('who'),
    text('through'),
    text('address'),
    text('program'),
    text('request'),
    'operation',
    'record_id',
  ];
  yield byteOrderMark + csvText([headings], style);
  let cursor: string | null = null;
  do {
    const asked: readonly (readonly [string, string])[] = [
      ...query,
      ['limit', String(limits.auditEntriesPerPage)],
      ...(cursor === null ? [] : [['cursor', cursor] as const]),
    ];
    const slow = { ...core, sql: core.slowSql };
    const found = await runAsUser(slow, requireOwner(c), 'audit-entries.list', { query: asked });
    yield csvText(
      found.data.map((entry) => rowOf(c, entry)),
      style,
    );
    cursor = found.next_cursor;
  } while (cursor !== null);
}

const rowOf = (c: ConsoleContext, entry: Entry): (string | null)[] => [
  entry.at,
  sentenceText(c, entry),
  changesOf(c, entry).join('; '),
  entry.actor_name,
  entry.via_name,
  entry.address,
  entry.program,
  entry.request_id,
  entry.operation,
  entry.record_id,
];
