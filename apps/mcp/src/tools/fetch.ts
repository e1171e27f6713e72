import {
  getOperationOf,
  type OperationDeclaration,
  type ReferenceName,
  references,
  resources,
  toolSets,
} from '@dealkeep/contract';
import { invalidField, Problem } from '@dealkeep/core/foundations';
import { operationNamed } from '../arguments/candidates.ts';
import { idIn } from '../arguments/id-in.ts';
import { isSetOn, setOf } from '../switches.ts';
import { fieldLines, nameOf } from '../texts/record-lines.ts';
import { type Measure, shownFields } from '../texts/shown.ts';
import { inOneLine } from '../texts/visible.ts';
import { RefusedCall } from './refusal.ts';
import { runOperation } from './run-operation.ts';
import { inOneText } from './search.ts';
import type { Tool } from './tool.ts';

/** Whoever fetches reads all of it. */
const measure: Measure = { text: 20_000, entries: 500 };
const longestTitle = 160;

interface Fetched {
  readonly kind: ReferenceName & keyof typeof resources;
  readonly reads: OperationDeclaration;
}

/** The records that have a page of their own. */
const fetchedKinds: readonly Fetched[] = Object.keys(references).flatMap((name) => {
  const kind = Object.keys(resources).find((each) => each === name);
  const reads = kind && getOperationOf({ resource: kind });
  return reads && isFetched(kind) && resources[kind].kind === 'record' ? [{ kind, reads }] : [];
});

function isFetched(name: string): name is Fetched['kind'] {
  return name in references && name in resources;
}

/**
 * One record, in the form in which connectors for deep research read what they have found: `id`, `title`, `text`,
 * `url` and `metadata`, as structured content and as the same JSON in the one text.
 */
export function fetchTool(): Tool {
  return {
    listed: {
      name: 'fetch',
      title: 'Read a record',
      description: `Read one record whole, of any kind: ${fetchedKinds.map(({ kind }) => kind).join(', ')}. Use it with an id that search answered, like lead:ID, or the address of a record's page.`,
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string', description: 'lead:ID, or the address of its page.' } },
        required: ['id'],
        additionalProperties: false,
      },
      outputSchema: {
        type: 'object',
        properties: {
          id: { type: 'string' },
          title: { type: 'string' },
          text: { type: 'string' },
          url: { type: 'string' },
          metadata: { type: 'object' },
        },
        required: ['id', 'title', 'text', 'url'],
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    operations: fetchedKinds.map(({ reads }) => reads),
    set: undefined,
    usual: true,
    changes: false,
    async call(call) {
      const { id: given, ...others } = call.arguments;
      const [unknown] = Object.keys(others);
      if (unknown !== undefined) throw invalidField(unknown, 'field.unknown');
      if (given === undefined) throw invalidField('id', 'field.required');
      const { kind, reads, id } = whichOf(given, call.core.origin);
      const set = setOf(kind);
      if (set && !isSetOn(call.credential.assistants, set)) {
        throw new Problem('assistants.set_off', { set: toolSets[set].label });
      }
      const parameter = /\{(\w+)\}/.exec(reads.path)?.[1] ?? 'id';
      const { value } = await runOperation(call, operationNamed(reads.id), { [parameter]: id });
      const { app_url: url, ...fields } = shownFields(value, measure);
      const { created_at: created, updated_at: updated } = fields;
      return inOneText({
        id: `${kind}:${id}`,
        title: inOneLine(nameOf(kind, value) ?? resources[kind].label.en, longestTitle),
        text: fieldLines(fields).join('\n'),
        url: String(url),
        metadata: {
          type: kind,
          ...(created === undefined ? {} : { created_at: created }),
          ...(updated === undefined ? {} : { updated_at: updated }),
        },
      });
    },
  };
}

/** The record that is meant. Raises a `RefusedCall` where that cannot be told without its kind. */
function whichOf(given: unknown, origin: string): Fetched & { readonly id: string } {
  const isBare = typeof given === 'string' && /^[0-9a-f-]{36}$/i.test(given.trim());
  for (const each of isBare ? [] : fetchedKinds) {
    const id = typeof given === 'string' && !given.endsWith(')') ? idIn(given, each.kind, origin) : undefined;
    if (id !== undefined) return { ...each, id };
  }
  const message =
    'id: This must be a kind and an ID, like lead:ID, or the address of a page. search answers them.';
  throw new RefusedCall({ code: 'VALIDATION_ERROR', message });
}
