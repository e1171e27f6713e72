import {
  type AssistantOperationId,
  assistantOperations,
  type OperationDeclaration,
  type OperationId,
} from '@dealkeep/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { briefItem, pagesOf, wholeItem } from '../texts/brief-item.ts';
import { enclosed } from '../texts/enclosed.ts';
import { idOf, nameOf, valueText } from '../texts/record-lines.ts';
import type { Measure } from '../texts/shown.ts';
import { inOneLine } from '../texts/visible.ts';
import { fitting, type ShownPage } from './fitting-page.ts';
import { runOperation } from './run-operation.ts';
import type { Arguments, Call } from './tool.ts';

/** Records of a page where the call does not say how many. */
export const usualPage = 15;

/** A page as the operation answered it. */
interface Page {
  readonly records: readonly unknown[];
  readonly cursor: string | null;
}

/**
 * Runs a list and shows a page of it: as many records as a model should read at once, and how to get the next ones.
 */
export async function runList(
  call: Call,
  { id, tool, declaration }: { id: OperationId; tool: string; declaration: OperationDeclaration },
  given: Arguments,
): Promise<CallToolResult> {
  const ask = async (more: Arguments): Promise<Page> => {
    const { data, next_cursor: cursor } = Object((await runOperation(call, id, { ...given, ...more })).value);
    return { records: Array.isArray(data) ? data : [], cursor: typeof cursor === 'string' ? cursor : null };
  };
  const pages = declaration.query && Object.hasOwn(declaration.query.shape, 'limit');
  // Most often there are no more than are shown.
  let counted: Counted | undefined;
  const show =
    ({ cursor }: Page, all: number) =>
    (records: readonly unknown[], measure: Measure): ShownPage =>
      shownPage(declaration, tool, { records, cursor, all, counted, isWhole: given['limit'] === 1 }, measure);
  let asked = await ask(pages ? { limit: given['limit'] ?? usualPage } : {});
  if (asked.cursor !== null) counted = await countOf(call, id, given);
  let shown = fitting(asked.records, show(asked, asked.records.length));
  if (pages && counted === undefined && shown.count < asked.records.length) {
    counted = await countOf(call, id, given);
  }
  // The cursor of a page is behind its last record: a shorter page is another one.
  while (pages && shown.count < asked.records.length) {
    asked = await ask({ limit: shown.count });
    shown = fitting(asked.records, show(asked, asked.records.length));
  }
  const { text, structured } = shown.page;
  return { content: [{ type: 'text', text }], structuredContent: structured };
}

/** How many records a list has in all. */
interface Counted {
  readonly count: number;
  /** There are more than were counted. */
  readonly more: boolean;
}

/** Undefined for a list that nobody counts. */
async function countOf(call: Call, id: OperationId, given: Arguments): Promise<Counted | undefined> {
  const name = id.replace(/\.list$/, '.count');
  if (!isCount(name)) return undefined;
  const { count, more } = Object((await runOperation(call, name, given)).value);
  return { count: Number(count), more: more === true };
}

const isCount = (name: string): name is AssistantOperationId => Object.hasOwn(assistantOperations, name);

interface Shown extends Page {
  /** How many there were before some were left out. */
  readonly all: number;
  readonly counted: Counted | undefined;
  /** Whoever asks for one record reads all of it. */
  readonly isWhole: boolean;
}

function shownPage(
  declaration: OperationDeclaration,
  tool: string,
  { records, cursor, all, counted, isWhole }: Shown,
  measure: Measure,
): ShownPage {
  const { resource } = declaration;
  const items = records.map((record) =>
    isWhole ? wholeItem(record, { ...measure, entries: wholeEntries }) : briefItem(resource, record, measure),
  );
  const pages = pagesOf(records);
  const ofAll = counted ? `of ${counted.more ? 'more than ' : ''}${counted.count} ` : '';
  const lines = records.map((record, index) => lineOf(resource, record, items[index] ?? {}));
  const text = [
    records.length === 0
      ? `No ${pluralOf(declaration)} match.`
      : `${records.length} ${ofAll}${records.length === 1 && !counted ? 'record' : 'records'} (${pluralOf(declaration)}):`,
    ...(lines.length === 0 ? [] : [enclosed(lines.join('\n'))]),
    ...(pages === undefined ? [] : [`Page of each: ${pages}`]),
    ...(records.length < all ? [`${all - records.length} more do not fit here.`] : []),
    ...(cursor === null
      ? records.length < all || records.length === 0
        ? []
        : ['These are all.']
      : [`There are more: call ${tool} again with the same arguments and cursor: "${cursor}".`]),
  ].join('\n');
  return {
    text,
    structured: {
      items,
      ...(pages === undefined ? {} : { pages }),
      next_cursor: cursor,
      ...(counted ? { total: counted.count } : {}),
    },
  };
}

/** `- Ten bikes (0198…): status open, value 1200, company Tatra Bikes s.r.o.` */
function lineOf(
  resource: string,
  record: unknown,
  { id: _, uuid: __, ...item }: Record<string, unknown>,
): string {
  const id = idOf(record);
  const name = nameOf(resource, record);
  const which =
    name === undefined ? id : `${inOneLine(name, longestName)}${id === undefined ? '' : ` (${id})`}`;
  const facts = Object.entries(item).flatMap(([field, value]) => {
    const text = inOneLine(valueText(withoutIds(value)), longestFact);
    return text === '' || text === name ? [] : [`${field} ${text}`];
  });
  return `- ${[...(which === undefined ? [] : [which]), facts.join(', ')].filter((each) => each !== '').join(': ')}`;
}

/** Of one record all fields are shown, also those behind many empty ones. */
const wholeEntries = 100;
const longestName = 120;
const longestFact = 300;

/** In a line, names say it; the structured content has the IDs. */
function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (typeof value !== 'object' || value === null || !('name' in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'id'));
}

/** "List leads" → `leads`. */
const pluralOf = ({ title }: OperationDeclaration): string => title.en.replace(/^List (?:the )?/, '');
