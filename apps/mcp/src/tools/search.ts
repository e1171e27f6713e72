import {
  getOperationOf,
  labelInSentence,
  type OperationDeclaration,
  operations,
  resources,
  type SearchedKind,
  searchedKindNames,
} from '@dealkeep/contract';
import { invalidField } from '@dealkeep/core/foundations';
import type { Credential } from '@dealkeep/core/identity';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { renamed } from '../arguments/as-named.ts';
import { isSetOn, setOf } from '../switches.ts';
import { inOneLine, visible } from '../texts/visible.ts';
import { isUsable } from './allowed.ts';
import { fitting } from './fitting-page.ts';
import { runOperation } from './run-operation.ts';
import type { Call, Tool } from './tool.ts';

/** The operation that reads a found record; kinds that the API does not read are not found either. */
const readingOf = (kind: SearchedKind): OperationDeclaration | undefined =>
  getOperationOf({ resource: kind });

const kinds = searchedKindNames.filter((kind) => readingOf(kind));

/**
 * The search over everything, in the form in which connectors for deep research ask: one `query`, answered with
 * `results` of `id`, `title` and `url`, as structured content and as the same JSON in the one text.
 */
export function searchTool(): Tool {
  return {
    listed: {
      name: 'search',
      title: operations['search.all'].title.en,
      description:
        'Find records of every kind by a name, a part of it, a number, an e-mail address or a phone number, best match first. Use it when it is not known of which kind something is, or where it stands; to filter by other fields use the lists. Read a result with fetch.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'No sentence: only what stands in the record.' },
          types: { type: 'array', items: { type: 'string', enum: kinds }, description: 'Only these kinds.' },
        },
        required: ['query'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          results: {
            type: 'array',
            items: {
              type: 'object',
              properties: { id: { type: 'string' }, title: { type: 'string' }, url: { type: 'string' } },
              required: ['id', 'title', 'url'],
            },
          },
        },
        required: ['results'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    operations: kinds.flatMap((kind) => readingOf(kind) ?? []),
    set: undefined,
    usual: true,
    changes: false,
    async call(call) {
      const { query, types, ...others } = call.arguments;
      const [unknown] = Object.keys(others);
      if (unknown !== undefined) throw invalidField(unknown, 'field.unknown');
      if (query === undefined) throw invalidField('query', 'field.required');
      const asked = { q: query, types: typesFor(call, types) };
      const { value } = await runOperation(call, 'search.all', asked).catch((error: unknown) => {
        throw renamed(error, (path) => (path === 'q' ? 'query' : path));
      });
      const { page } = fitting(Array.isArray(value) ? value : [], (some, { text }) => {
        const structured = { results: some.map((found) => resultOf(found, text)) };
        return { text: JSON.stringify(structured), structured };
      });
      return inOneText(page.structured);
    },
  };
}

/** The kinds that are looked through: those asked for, or all that the credential may read. */
function typesFor(call: Call, types: unknown): string {
  const offered = kinds.filter((kind) => isSetOn(call.credential.assistants, setOf(kind)));
  if (types === undefined || types === null || (Array.isArray(types) && types.length === 0)) {
    return offered.filter((kind) => isReadable(call.credential, kind)).join(',');
  }
  const asked = Array.isArray(types) ? types.map(String) : String(types).split(',');
  const wrong = asked.find((type) => !offered.some((kind) => kind === type));
  if (wrong !== undefined) {
    throw invalidField('types', 'field.invalid_choice', { choices: offered.join(', ') });
  }
  return asked.join(',');
}

const isReadable = (credential: Credential, kind: SearchedKind): boolean => {
  const reads = readingOf(kind);
  return reads !== undefined && isUsable(credential, reads);
};

function resultOf(found: unknown, longestTitle: number): { id: string; title: string; url: string } {
  const { type, id, title, subtitle, app_url: url } = Object(found);
  const label = kinds.find((kind) => kind === type);
  const told = [title ?? 'Without a name', label && labelInSentence(resources[label].label.en), subtitle];
  return {
    id: `${type}:${id}`,
    title: inOneLine(
      told.filter((each) => typeof each === 'string' && each !== '').join(' · '),
      longestTitle,
    ),
    url: visible(String(url)),
  };
}

/** An answer whose text is its structured content as JSON, which no text within can end. */
export const inOneText = (structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
});
