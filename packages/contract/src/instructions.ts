import * as z from 'zod';
import type { OperationDeclaration } from './operation.ts';
import { resourceNames, resources } from './resources.ts';
import { labelInSentence } from './text.ts';

/** What a language model is told of an operation. English, in whole sentences. */
export interface Instruction {
  /** What it does, as an order. */
  readonly does: string;
  /** When to take it rather than another one; absent where what it does says it. */
  readonly when?: string;
}

const whenIdIsKnown = 'Use it when the ID is known.';

/** How a language model should use an operation: as it declares, and what follows from its kind. */
export function instructionOf(declaration: OperationDeclaration): Instruction {
  const when = whenOf(declaration);
  return { does: declaration.instruction ?? doesOf(declaration), ...(when === undefined ? {} : { when }) };
}

function doesOf({ id, kind, title, about, resource }: OperationDeclaration): string {
  // "Update a company" → "a company".
  const one = title.en.replace(/^\w+ /, '');
  if (kind === 'get') return `Retrieve ${one}.`;
  if (kind === 'update') return `Change fields of ${one}, the others stay as they are.`;
  const name = resourceNames.find((each) => each === resource);
  if (kind !== 'list' || name === undefined) throw new Error(`${id} does not say what a model uses it for.`);
  const plural = labelInSentence(resources[name].plural.en);
  // Of a record everybody knows what it is; of a list to choose from the operation says it.
  return resources[name].kind === 'record'
    ? `Retrieve a list of ${plural} that match the filters.`
    : `Retrieve a list of ${plural}. ${about.en}`;
}

function whenOf({ kind, path, answer }: OperationDeclaration): string | undefined {
  if (kind === 'create') return 'Use it when nothing that fits exists yet.';
  if (kind === 'update') return whenIdIsKnown;
  if (kind === 'get') return /\{(id|uuid)\}/.test(path) ? whenIdIsKnown : undefined;
  const hasIds = answer instanceof z.ZodObject && ('id' in answer.shape || 'uuid' in answer.shape);
  return kind === 'list' && hasIds
    ? 'Use it to find records, before creating one too, and the IDs that other tools ask for.'
    : undefined;
}
