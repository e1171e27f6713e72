import { limits, resources } from '@dealkeep/contract';
import { Problem } from '@dealkeep/core/foundations';
import {
  createImport,
  type Import,
  type ImportKind,
  listImports,
  requireImporting,
} from '@dealkeep/core/operations';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { forgeryField } from '../auth/forgery.ts';
import { type ConsoleContext, receivedUpload, sessionOf } from '../context.ts';
import { isMendable, statusOf } from '../forms/send.ts';
import { page } from '../frame/page.ts';
import {
  alert,
  badge,
  bar,
  button,
  type Column,
  choices,
  field,
  linkButton,
  type Markup,
  table,
  trail,
} from '../markup.ts';
import { problemWords } from '../problem-words.ts';
import { importPath } from '../records/import-path.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { momentOf, numberOf } from '../values/shown-value.ts';
import { importAddress } from './addresses.ts';
import { importNotice, importSay } from './texts.ts';

/** The page where a file is chosen, and what was imported lately. */
export async function uploadPage(
  c: ConsoleContext,
  record: RecordKind,
  kind: ImportKind,
  { problem, status }: { problem?: string; status?: ContentfulStatusCode } = {},
): Promise<Response> {
  const session = sessionOf(c);
  requireImporting(session, kind);
  const [language, text] = [c.get('language'), importSay(c.get('language'))];
  const mib = limits.importBytes / 1024 / 1024;
  const title = text('title', { what: resources[kind].plural[language] });
  const control = html`<input id="file" type="file" name="file" required accept=".csv,.tsv,.txt,text/csv" data-most="${limits.importBytes}" data-larger="${text('tooLargeHere', { mib })}" aria-describedby="help-file">
<p class="help" id="help-file">${text('fileHelp', { mib, rows: numberOf(c, limits.importRows) })}</p>`;
  const content = html`${trail(record.path, resources[kind].plural[language])}${bar(title)}
${importNotice(c)}
${problem === undefined ? '' : alert(problem)}
<form class="card" method="post" action="${importPath(record)}" enctype="multipart/form-data">
${forgeryField(c)}
${field(html`<label for="file">${text('file')}</label>`, control)}
<p class="quiet">${text('nothingYet')}</p>
${choices(button(text('upload')), linkButton(record.path, text('back'), 'secondary'))}
</form>
${recentImports(c, await listImports(c.get('core'), session, kind))}`;
  return page(c, { title, content }, status);
}

function recentImports(c: ConsoleContext, imports: readonly Import[]): Markup | string {
  if (imports.length === 0) return '';
  const text = importSay(c.get('language'));
  const columns: Column<Import>[] = [
    { label: text('file'), cell: (each) => html`<a href="${importAddress(each)}">${each.file_name}</a>` },
    { label: text('begun'), cell: ({ created_at }) => momentOf(c, created_at) },
    { label: text('rows'), holds: 'number', cell: ({ row_count }) => numberOf(c, row_count) },
    { label: text('state'), cell: ({ status }) => badge(text(status)) },
  ];
  return html`<h2>${text('recent', { days: limits.importDays })}</h2>${table(columns, imports)}`;
}

const longestFileName = 255;

/** Takes the file in and goes on to its columns. */
export async function receiveFile(
  c: ConsoleContext,
  record: RecordKind,
  kind: ImportKind,
): Promise<Response> {
  const session = sessionOf(c);
  requireImporting(session, kind);
  try {
    const upload = c.get('upload') === undefined ? undefined : await receivedUpload(c);
    if (!upload?.file) throw new Problem('import.no_file');
    const { name, bytes } = upload.file;
    const fileName = [...name.replaceAll('\0', '')].slice(0, longestFileName).join('') || 'CSV';
    const id = await createImport(c.get('core'), session, { kind, fileName, bytes });
    return c.redirect(importAddress({ id }), 303);
  } catch (error) {
    if (!isMendable(error)) throw error;
    const problem = problemWords(c.get('language'), error);
    return uploadPage(c, record, kind, { problem, status: statusOf(error) });
  }
}
