import {
  type AssistantOperationId,
  assistantOperations,
  instructionOf,
  type OperationDeclaration,
} from '@dealkeep/contract';
import { type Argument, argumentsOf } from '../arguments/argument.ts';
import { asNamed } from '../arguments/as-named.ts';
import { resolveArguments } from '../arguments/resolve.ts';
import { withChoices } from '../arguments/with-choices.ts';
import { setOf } from '../switches.ts';
import { enclosed } from '../texts/enclosed.ts';
import { inOneLine } from '../texts/visible.ts';
import { fitting, type ShownPage } from './fitting-page.ts';
import { runOperation } from './run-operation.ts';
import { inputSchema, outputSchema } from './schema.ts';
import type { Tool } from './tool.ts';
import { toolNameOf } from './tool-name.ts';

/** Of a list's own arguments, those that say which page of it. */
const ofPages = new Set(['limit', 'cursor', 'sort']);

/** The tools that add up what a list has, one for each sum of the contract. */
export const sumTools = (): Tool[] =>
  Object.values<OperationDeclaration & { readonly id: AssistantOperationId }>(assistantOperations)
    .filter(({ tool }) => tool !== undefined)
    .map((declaration) => sumTool(declaration));

function sumTool(declaration: OperationDeclaration & { readonly id: AssistantOperationId }): Tool {
  const { answer, title, id, resource } = declaration;
  const { does, when = '' } = instructionOf(declaration, { byName: true });
  const taken = argumentsOf(declaration).filter(({ name }) => !ofPages.has(name));
  return {
    listed: {
      name: toolNameOf(declaration),
      title: title.en,
      description: `${does} ${when}`.trim(),
      inputSchema: inputSchema(taken.map(inSum)),
      ...(answer ? { outputSchema: outputSchema(answer) } : {}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    operations: [declaration],
    set: setOf(resource),
    usual: resource === 'lead',
    changes: false,
    async call(call) {
      try {
        const given = await resolveArguments(call, declaration, call.arguments);
        const { value } = await runOperation(call, id, given);
        const { page } = fitting(Object(value).groups, (some) => shownSums(Object(value), some));
        return { content: [{ type: 'text', text: page.text }], structuredContent: page.structured };
      } catch (error) {
        throw await withChoices(call, declaration, asNamed(declaration, error));
      }
    },
  };
}

/**
 * What the list's tool has said of its filters is not said again, because every definition is read with every
 * question.
 */
function inSum({ name, facts }: Argument): Argument['facts'] {
  if (name === 'by' || facts.description?.help === undefined) return facts;
  const { help: _, ...description } = facts.description;
  return { ...facts, description };
}

interface Sum {
  readonly currency: string;
  readonly count: number;
  readonly amount: number;
  readonly remaining_amount?: number;
  readonly name?: string | null;
}

interface Sums {
  readonly totals: readonly Sum[];
  readonly groups: readonly Sum[];
}

function shownSums({ totals, groups }: Sums, some: readonly unknown[]): ShownPage {
  const shown = groups.slice(0, some.length);
  const lines = shown.map((group) => `- ${inOneLine(group.name ?? 'none', longestName)}: ${sumText(group)}`);
  const left = groups.length - shown.length;
  const text = [
    totals.length === 0 ? 'No records match.' : `In all: ${totals.map(sumText).join('; ')}`,
    ...(lines.length === 0 ? [] : [enclosed(lines.join('\n'))]),
    ...(left === 0 ? [] : [`${left} smaller groups do not fit here; narrow the filters to see them.`]),
  ].join('\n');
  return {
    text,
    structured: { totals, groups: shown.map(({ name, ...sum }) => ({ name: name ?? 'none', ...sum })) },
  };
}

const longestName = 120;

/** `3 records, 18400 EUR, 1200 EUR to be paid` */
const sumText = ({ count, amount, currency, remaining_amount: remaining }: Sum): string =>
  [
    `${count} ${count === 1 ? 'record' : 'records'}`,
    `${amount} ${currency}`,
    ...(remaining === undefined ? [] : [`${remaining} ${currency} to be paid`]),
  ].join(', ');
