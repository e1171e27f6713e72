import {
  namesOf,
  type OperationDeclaration,
  operations,
  type Reference,
  type ReferenceName,
  references,
} from '@dealkeep/contract';
import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { McpAddress } from './address.ts';
import { canList, operationNamed, valueAt } from './arguments/candidates.ts';
import { folded } from './arguments/folded.ts';
import type { PromptArgument } from './prompts/prompts.ts';
import { promptsAt } from './prompts/serve-prompts.ts';
import { answered } from './protocol-error.ts';
import { resourceKindsAt } from './resources/kinds.ts';
import { inOneLine } from './texts/visible.ts';
import { runOperation } from './tools/run-operation.ts';
import type { Caller } from './tools/tool.ts';

const most = { values: 20, name: 200 };

/** Serves what an argument can be completed to: the names of records that contain what was typed. */
export function serveCompletion(server: Server, caller: Caller, address: McpAddress): void {
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) =>
    answered(caller, async () => {
      const values =
        ref.type === 'ref/prompt'
          ? await ofPrompt(caller, promptArgument(caller, address, ref.name, argument.name), argument.value)
          : await ofTemplate(caller, address, { uri: ref.uri, ...argument });
      return { completion: { values: [...new Set(values)].slice(0, most.values) } };
    }),
  );
}

function promptArgument(
  { credential }: Caller,
  address: McpAddress,
  prompt: string,
  name: string,
): PromptArgument {
  const found = promptsAt(address, credential)
    .find((each) => each.name === prompt)
    ?.arguments.find((each) => each.name === name);
  if (!found)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no argument ${name} of ${prompt}`);
  return found;
}

async function ofPrompt(
  caller: Caller,
  { names }: PromptArgument,
  typed: string,
): Promise<readonly string[]> {
  if (names === undefined) return [];
  const kinds = names === 'business' ? (['company', 'contact', 'lead'] as const) : [names];
  const found = await Promise.all(kinds.map((kind) => named(caller, kind, typed)));
  return found.flat().map(({ name }) => name);
}

/** As "Name (ID)": people see the name, and the address is that of the one record. */
async function ofTemplate(
  caller: Caller,
  address: McpAddress,
  { uri, name, value }: { uri: string; name: string; value: string },
): Promise<readonly string[]> {
  const kind = resourceKindsAt(address, caller.credential).find((each) => each.uri === uri && each.idName);
  if (!kind || name !== 'id') {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no argument ${name} of ${uri}`);
  }
  const found = isReference(kind.resource) ? await named(caller, kind.resource, value) : [];
  return found.map((each) => `${each.name} (${each.id})`);
}

const isReference = (name: string): name is ReferenceName => Object.hasOwn(references, name);

/** Records whose names contain a text; none where the credential may not read them. */
async function named(
  caller: Caller,
  kind: ReferenceName,
  typed: string,
): Promise<readonly { readonly name: string; readonly id: string }[]> {
  const reference: Reference = references[kind];
  const id = operationNamed(reference.list);
  const declaration: OperationDeclaration = operations[id];
  if (!canList(caller, reference)) return [];
  const { query } = declaration;
  const searched = query && 'q' in query.shape && typed.trim() !== '' ? { q: typed } : {};
  const limit = query ? { limit: most.values } : {};
  const { data } = Object((await runOperation(caller, id, { ...searched, ...limit })).value);
  const found: readonly unknown[] = Array.isArray(data) ? data : [];
  return found.flatMap((record) => {
    const name = namesOf(reference)
      .map((path) => valueAt(record, path))
      .find((each): each is string => typeof each === 'string' && each !== '');
    const shown = name === undefined ? '' : inOneLine(name, most.name);
    const fits = shown !== '' && ('q' in searched || folded(shown).includes(folded(typed)));
    return fits ? { name: shown, id: String(valueAt(record, reference.value ?? 'id')) } : [];
  });
}
