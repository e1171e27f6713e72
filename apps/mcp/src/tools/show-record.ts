import {
  inLowerCase,
  isExisting,
  labelInSentence,
  type OperationDeclaration,
  resourceNames,
  resources,
} from '@dealkeep/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { enclosed } from '../texts/enclosed.ts';
import { fieldLines, idOf, nameOf } from '../texts/record-lines.ts';
import { type Measure, shownFields } from '../texts/shown.ts';
import { quoted } from '../texts/visible.ts';
import type { OperationAnswer } from './run-operation.ts';

/** Of one record nearly all is shown. */
const measure: Measure = { text: 2000, entries: 500 };

/** A record: what was done or what it is, with its name and its page, and then what is filled in. */
export function showRecord(declaration: OperationDeclaration, { value }: OperationAnswer): CallToolResult {
  if (value === undefined) return { content: [{ type: 'text', text: `Done: ${declaration.title.en}.` }] };
  const structuredContent = shownFields(Array.isArray(value) ? { items: value } : value, measure);
  const { id: _, uuid: __, app_url: page, ...rest } = structuredContent;
  const at = typeof page === 'string' ? `: ${page}` : '';
  const title = `${whatIsShown(declaration, value)}${at}`;
  const lines = fieldLines(rest);
  return {
    content: [{ type: 'text', text: lines.length === 0 ? title : `${title}\n${enclosed(lines.join('\n'))}` }],
    structuredContent,
  };
}

/** `Created lead "Ten bikes" (0198…)` */
function whatIsShown(declaration: OperationDeclaration, record: unknown): string {
  const name = nameOf(declaration.resource, record);
  const id = idOf(record);
  const which = [
    ...(name === undefined ? [] : [quoted(name)]),
    ...(id === undefined ? [] : [`(${id})`]),
  ].join(' ');
  const { kind, title, method } = declaration;
  const label = labelOf(declaration);
  if (method === 'GET') return id === undefined ? title.en : `${label} ${which}`;
  if (kind === 'update') return `Changed ${inLowerCase(label)} ${which}`;
  if (kind !== 'create' && kind !== 'upsert') return `Done: ${labelInSentence(title.en)}: ${which}`;
  const told = labelInSentence(label);
  if (!isExisting(declaration, record)) return `Created ${told} ${which}`;
  return isUnchanged(declaration, record)
    ? `Nothing was changed, this ${told} is there already: ${which}`
    : `Changed ${told}, which was there already: ${which}`;
}

/** Only of what "create or update" found something was changed. */
const isUnchanged = (
  { kind, existingFlag = '', existingAs }: OperationDeclaration,
  record: unknown,
): boolean => kind === 'create' || Reflect.get(Object(record), existingFlag) !== existingAs;

function labelOf({ resource }: OperationDeclaration): string {
  const name = resourceNames.find((each) => each === resource);
  return name ? resources[name].label.en : resource;
}
