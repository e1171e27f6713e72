import { type OperationDeclaration, type ReferenceName, references } from '@dealkeep/contract';
import { isRefusal, RefusedCall, refusalOf } from '../tools/refusal.ts';
import type { Caller } from '../tools/tool.ts';
import { type Argument, argumentsOf } from './argument.ts';
import { candidatesOf, canList, isChosen } from './candidates.ts';
import { choicesText } from './unclear.ts';

/**
 * What an operation refused, with what there is to choose from for each argument that is chosen from a list of the
 * organization's own: a lost reason that is missing is answered with the lost reasons. Fields are called as the tool
 * does.
 */
export async function withChoices(
  caller: Caller,
  declaration: OperationDeclaration,
  error: unknown,
): Promise<unknown> {
  if (!isRefusal(error)) return error;
  const refusal = refusalOf(error);
  const { fields, ...rest } = Object(refusal.detail);
  if (refusal.code !== 'VALIDATION_ERROR' || !Array.isArray(fields)) return error;
  const told = new Set<ReferenceName>();
  const explained: unknown[] = [];
  for (const field of fields) {
    const chosen = chosenAt(argumentsOf(declaration), String(field.path));
    const isNew = chosen !== undefined && !told.has(chosen) && canList(caller, references[chosen]);
    if (isNew) told.add(chosen);
    const choices = isNew ? await choicesOf(caller, chosen) : undefined;
    explained.push(choices === undefined ? field : { ...field, message: `${field.message} ${choices}` });
  }
  return told.size === 0 ? error : new RefusedCall({ ...refusal, detail: { ...rest, fields: explained } });
}

/** What an argument is chosen from; undefined where that is no list of the organization's own. */
function chosenAt(offered: readonly Argument[], path: string): ReferenceName | undefined {
  let level = offered;
  let chosen: ReferenceName | undefined;
  for (const part of path.split('.').filter((each) => !/^\d+$/.test(each))) {
    const argument = level.find(({ name }) => name === part);
    // A key of a dictionary is none.
    if (argument === undefined) break;
    const { description } = argument.facts;
    chosen = argument.reference ?? description?.nameOf ?? description?.keysOf;
    level = argument.inner;
  }
  return chosen !== undefined && isChosen(references[chosen]) ? chosen : undefined;
}

async function choicesOf(caller: Caller, chosen: ReferenceName): Promise<string | undefined> {
  try {
    return choicesText(chosen, await candidatesOf(caller, references[chosen], {}));
  } catch (error) {
    // What is wrong is told without them.
    if (isRefusal(error)) return undefined;
    throw error;
  }
}
