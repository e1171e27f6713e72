import {
  fieldsOf,
  getOperationOf,
  type OperationDeclaration,
  type OperationId,
  operations,
  pathParameters,
} from '@dealkeep/contract';
import { invalidField, invalidFields, Problem } from '@dealkeep/core/foundations';
import { problemsIn, tagOfRecord, unchanged } from '@dealkeep/core/operations';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import { isUsable } from './allowed.ts';
import { confirmationFor, minutesToConfirm, readConfirmation } from './confirmation.ts';
import { consequenceOf } from './consequence.ts';
import { givenInWords } from './given-in-words.ts';
import { onceOnly, whenFree } from './idempotency.ts';
import { RefusedCall } from './refusal.ts';
import { type OperationAnswer, requestOf, runOperation } from './run-operation.ts';
import type { JsonSchema, ObjectSchema } from './schema.ts';
import type { Arguments, Call } from './tool.ts';

/** An operation that a person is asked about first, and the tool that does it. */
export interface Asking {
  readonly declaration: OperationDeclaration;
  readonly id: OperationId;
  readonly tool: string;
  /** What it answered, as the model is shown it. */
  show(answer: OperationAnswer): CallToolResult;
}

/** What a tool says of itself that asks before it does anything. */
export const consentInstruction =
  'The user is asked first. Where the client cannot ask, the first call does nothing: it answers what would happen and a confirmation; tell the user, and call again with confirm: true and that confirmation only when they agree.';

/** The arguments by which a model hands on that the user agreed. */
const consentProperties: Record<string, JsonSchema> = {
  confirm: { type: 'boolean', description: 'true once the user has agreed to what the first call said.' },
  confirmation: { type: 'string', description: 'As the first call answered it.' },
};

/** The arguments of a tool that asks first. */
export const askingInput = (schema: ObjectSchema): ObjectSchema => ({
  ...schema,
  properties: { ...schema.properties, ...consentProperties },
});

/** Its answer: what was done, or what would be. */
export const askingOutput = ({ outputSchema }: { outputSchema?: ObjectSchema }): ObjectSchema => ({
  type: 'object',
  properties: {
    done: { type: 'boolean' },
    would_happen: { type: 'string' },
    confirmation: { type: 'string' },
    ...outputSchema?.properties,
  },
  required: ['done'],
});

/**
 * Does it once somebody has agreed to what they were told would happen to the record as it is: asked by the client
 * where it can, else by the model. What has changed meanwhile is asked about again, and one agreement does it once.
 */
export async function withConsent(
  call: Call,
  asking: Asking,
  { confirm, confirmation, ...given }: Arguments,
): Promise<CallToolResult | InputRequiredResult> {
  requireKnown(asking.declaration, given);
  await requireValid(call, asking, given);
  if (canAsk(call)) return askedByClient(call, asking, given);
  if (confirm !== true || typeof confirmation !== 'string') return firstAnswer(call, asking, given);
  return agreed(call, asking, { given, code: confirmation }, (why) => firstAnswer(call, asking, given, why));
}

/** Raises VALIDATION_ERROR for an argument that there is not, so that nobody is asked about what is refused then. */
function requireKnown(declaration: OperationDeclaration, given: Arguments): void {
  const { query, body, kind } = declaration;
  const known = [pathParameters(declaration), query, body].flatMap((part) => (part ? fieldsOf(part) : []));
  const names = [...known.map(({ name }) => name), ...(kind === 'create' ? ['idempotency_key'] : [])];
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) throw invalidField(unknown, 'field.unknown');
}

/** Raises VALIDATION_ERROR for a body that would be refused, as far as that can be known before. */
async function requireValid(
  { core, credential }: Call,
  { declaration, id }: Asking,
  { idempotency_key: _, ...given }: Arguments,
): Promise<void> {
  if (!declaration.body) return;
  const { path, body } = requestOf(declaration, given);
  const problems = await problemsIn(core, credential, id, { path, body });
  if (problems.length > 0) throw invalidFields(problems);
}

/**
 * Whether the client shows a form to its user, where we can hand it one: in the revision in which an answer may ask.
 */
function canAsk({ context }: Call): boolean {
  const { elicitation } = Object(Object(context.mcpReq.envelope)[CLIENT_CAPABILITIES_META_KEY]);
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  // The capability without a mode is that of forms.
  return 'form' in elicitation || !('url' in elicitation);
}

const question = 'consent';

async function askedByClient(
  call: Call,
  asking: Asking,
  given: Arguments,
): Promise<CallToolResult | InputRequiredResult> {
  const { inputResponses, requestState } = call.context.mcpReq;
  const answer = inputResponse(inputResponses, question);
  const code = requestState();
  if (typeof code !== 'string' || answer.kind !== 'elicit') return ask(call, asking, given);
  if (answer.action !== 'accept') return notDone(`The user did not agree (${answer.action}).`);
  return agreed(call, asking, { given, code }, (why) => ask(call, asking, given, why));
}

async function ask(call: Call, asking: Asking, given: Arguments, why?: string): Promise<InputRequiredResult> {
  const { consequence, code } = await foretell(call, asking, given);
  return inputRequired({
    inputRequests: {
      [question]: inputRequired.elicit({
        message: [...(why === undefined ? [] : [why]), consequence].join('\n'),
        requestedSchema: { type: 'object', properties: {} },
      }),
    },
    requestState: code,
  });
}

async function firstAnswer(
  call: Call,
  asking: Asking,
  given: Arguments,
  why?: string,
): Promise<CallToolResult> {
  const { consequence, code } = await foretell(call, asking, given);
  const how = `Tell the user this and ask whether to do it. Only if they agree, call ${asking.tool} again within ${minutesToConfirm} minutes with the same arguments, confirm: true and confirmation: "${code}".`;
  const { content, structuredContent } = notDone(why, `This would happen:\n${consequence}`, how);
  return {
    content,
    structuredContent: { ...Object(structuredContent), would_happen: consequence, confirmation: code },
  };
}

const notDone = (...said: readonly (string | undefined)[]): CallToolResult => ({
  content: [
    { type: 'text', text: ['Nothing was done.', ...said].filter((each) => each !== undefined).join('\n') },
  ],
  structuredContent: { done: false },
});

/** What would happen, and the code that confirms it. Raises NOT_FOUND. */
async function foretell(
  call: Call,
  { declaration, tool }: Asking,
  given: Arguments,
): Promise<{ consequence: string; code: string }> {
  const record = await readRecord(call, declaration, given);
  return {
    consequence: consequenceOf(declaration, {
      record,
      id: recordIdIn(declaration, given),
      given: await givenInWords(call, declaration, given),
      address: declaration.sendsTo === undefined ? undefined : given[declaration.sendsTo],
    }),
    code: confirmationFor(call, { tool, given }, record === undefined ? '' : tagOfRecord(record)),
  };
}

/** The name by which its path calls the record that it is about; undefined where it makes one. */
const recordParameter = ({ path }: OperationDeclaration): string | undefined => /\{(\w+)\}/.exec(path)?.[1];

function recordIdIn(declaration: OperationDeclaration, given: Arguments): string | undefined {
  const parameter = recordParameter(declaration);
  return parameter === undefined ? undefined : String(given[parameter] ?? '');
}

/**
 * What reads the record that an operation is about: of `/webhooks/{id}/test` and all below it, that is the REST
 * hook.
 */
const readsRecordOf = ({ path }: OperationDeclaration): OperationDeclaration | undefined =>
  Object.values<OperationDeclaration>(operations).find(
    ({ kind, path: other }) => kind === 'get' && other === path.slice(0, path.indexOf('}') + 1),
  );

/** The record as its GET answers it; undefined where there is none yet, or the credential may not read it. */
async function readRecord(call: Call, declaration: OperationDeclaration, given: Arguments): Promise<unknown> {
  const parameter = recordParameter(declaration);
  if (parameter === undefined) return undefined;
  const get = readsRecordOf(declaration);
  if (!get) throw new Error(`Nothing answers the record that ${declaration.id} is about`);
  if (!isUsable(call.credential, get)) return undefined;
  const { value } = await runOperation(call, get.id as OperationId, { [parameter]: given[parameter] });
  return value;
}

/** Does what was agreed to; `askAgain` where it was not this that was, or is no longer what would happen. */
async function agreed<Asked>(
  call: Call,
  asking: Asking,
  { given, code }: { given: Arguments; code: string },
  askAgain: (why: string) => Promise<Asked>,
): Promise<CallToolResult | Asked> {
  const { declaration, id, tool, show } = asking;
  const changed = (): Promise<Asked> => askAgain('The record has been changed since the question was asked.');
  const said = readConfirmation(call, { tool, given }, code);
  if (said === 'forged') return askAgain('The confirmation was not given for this call.');
  if (said === 'ended') return askAgain(`The confirmation was older than ${minutesToConfirm} minutes.`);
  if (declaration.kind === 'create') return isDone(await onceOnly(call, asking, given));
  const locks = locksRecord(declaration);
  if (said.tag !== '' && !locks) {
    const record = await readRecord(call, declaration, given);
    if (record === undefined || tagOfRecord(record) !== said.tag) return changed();
  }
  try {
    const answer = await whenFree(call, () =>
      runOperation(call, id, given, {
        idempotency: { key: `assistant:agreed:${code}` },
        ...(said.tag === '' || !locks ? {} : { precondition: unchangedSince(call, id, given, said.tag) }),
      }),
    );
    const { content, ...rest } = show(answer);
    const repeated = answer.replayed
      ? [
          {
            type: 'text' as const,
            text: 'This was done before, by the same confirmation, and not once more.',
          },
        ]
      : [];
    return isDone({ ...rest, content: [...repeated, ...content] });
  } catch (error) {
    if (!hasChanged(error)) throw error;
    return changed();
  }
}

const isDone = ({ structuredContent, ...rest }: CallToolResult): CallToolResult => ({
  ...rest,
  structuredContent: { ...Object(structuredContent), done: true },
});

/**
 * Whether the record that it is about is locked while it runs, so that it can be looked at then whether it was
 * changed.
 */
const locksRecord = (declaration: OperationDeclaration): boolean =>
  !declaration.unconditional && readsRecordOf(declaration) === getOperationOf(declaration);

const hasChanged = (error: unknown): boolean =>
  (error instanceof Problem && error.code === 'PRECONDITION_FAILED') ||
  (error instanceof RefusedCall && error.refusal.code === 'PRECONDITION_FAILED');

const unchangedSince = ({ credential }: Call, id: OperationId, given: Arguments, seen: string) =>
  unchanged(credential, { id, path: { id: String(given['id']) } }, (tag) => tag === seen);
