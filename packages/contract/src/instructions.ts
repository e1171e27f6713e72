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

/** How a language model names records. */
export interface Naming {
  /** By their names, too, and not by their IDs alone. */
  readonly byName?: boolean;
}

/** How a language model should use an operation: as it declares, and what follows from its kind. */
export function instructionOf(declaration: OperationDeclaration, naming: Naming = {}): Instruction {
  const when = declaration.when ?? whenOf(declaration, naming);
  return { does: declaration.instruction ?? doesOf(declaration), ...(when === undefined ? {} : { when }) };
}

/** The same as one text. */
export function instructionText(declaration: OperationDeclaration): string {
  const { does, when } = instructionOf(declaration);
  return when === undefined ? does : `${does} ${when}`;
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

function whenOf(
  { kind, path, answer, resource }: OperationDeclaration,
  { byName = false }: Naming,
): string | undefined {
  const whenIdIsKnown = `Use it when the ${byName ? 'name or the ID' : 'ID'} is known.`;
  if (kind === 'create') return 'Use it when nothing that fits exists yet.';
  if (kind === 'update') return whenIdIsKnown;
  if (kind === 'upsert') return 'Use it when it is not known whether the record exists.';
  if (kind === 'get') return /\{(id|uuid)\}/.test(path) ? whenIdIsKnown : undefined;
  const hasIds = answer instanceof z.ZodObject && ('id' in answer.shape || 'uuid' in answer.shape);
  if (kind !== 'list' || !hasIds) return undefined;
  if (!byName)
    return 'Use it to find records, before creating one too, and the IDs that other tools ask for.';
  const name = resourceNames.find((each) => each === resource);
  return name && resources[name].kind === 'lookup'
    ? 'Use it to see what there is to choose from; other tools take the names.'
    : 'Use it to see which there are, and before creating one. What is known by name needs no list: other tools take the names.';
}
