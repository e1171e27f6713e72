import {
  asksFirst,
  fieldsOf,
  getOperationOf,
  instructionOf,
  labelInSentence,
  type OperationDeclaration,
  type OperationId,
  usualTools,
} from '@dealkeep/contract';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { argumentsOf } from '../arguments/argument.ts';
import { asNamed } from '../arguments/as-named.ts';
import { resolveArguments } from '../arguments/resolve.ts';
import { withChoices } from '../arguments/with-choices.ts';
import { setOf } from '../switches.ts';
import { briefOf } from '../texts/brief-item.ts';
import { idOf } from '../texts/record-lines.ts';
import { askingInput, askingOutput, consentInstruction, withConsent } from './consent.ts';
import { keyedInput, onceOnly } from './idempotency.ts';
import { type OperationAnswer, runOperation } from './run-operation.ts';
import { inputSchema, type ObjectSchema, outputSchema } from './schema.ts';
import { runList, usualPage } from './show-list.ts';
import { showRecord } from './show-record.ts';
import type { Call, Tool } from './tool.ts';
import { toolNameOf } from './tool-name.ts';

/** The tool of an operation: everything that it is told by stands in the contract. */
export function operationTool(id: OperationId, declaration: OperationDeclaration): Tool {
  const { title, destructive = false, binding = false } = declaration;
  const { does, when } = instructionOf(declaration, { byName: true });
  const name = toolNameOf(declaration);
  const changes = declaration.method !== 'GET';
  const makes = declaration.kind === 'create';
  const asks = asksFirst(declaration);
  const isList = declaration.kind === 'list';
  const told = inputSchema(argumentsOf(declaration).map(({ facts }) => facts));
  const taken = isList ? listInput(told) : told;
  const takes = makes ? keyedInput(taken) : taken;
  // What was made before is shown as what is there.
  const asThere = makes ? (getOperationOf(declaration) ?? declaration) : declaration;
  const shownBy =
    ({ core }: Call) =>
    (answer: OperationAnswer): CallToolResult => {
      const { value, secrets } = withoutSecrets(declaration, answer.value, core.origin);
      const { content, ...rest } = showRecord(answer.replayed ? asThere : declaration, { ...answer, value });
      return { ...rest, content: [...content, ...secrets] };
    };
  return {
    listed: {
      name,
      title: title.en,
      description: [does, when, asks ? consentInstruction : undefined]
        .filter((each) => each !== undefined)
        .join(' '),
      inputSchema: asks ? askingInput(takes) : takes,
      ...(asks ? { outputSchema: askingOutput(outputOf(declaration)) } : outputOf(declaration)),
      annotations: {
        readOnlyHint: !changes,
        // Of what changes nothing these say nothing.
        ...(changes
          ? { destructiveHint: destructive || binding, idempotentHint: isIdempotent(declaration) }
          : {}),
        openWorldHint: declaration.sendsTo !== undefined,
      },
    },
    operations: [declaration],
    set: setOf(declaration.resource),
    usual: usualTools.has(id),
    changes,
    // Its own record says nothing of the record that an event is about.
    everySet: declaration.resource === 'event',
    async call(call) {
      try {
        const given = await resolveArguments(call, declaration, call.arguments);
        const show = shownBy(call);
        if (asks) return await withConsent(call, { declaration, id, tool: name, show }, given);
        if (makes) return await onceOnly(call, { id, tool: name, show }, given);
        if (isList) return await runList(call, { id, tool: name, declaration }, given);
        return show(await runOperation(call, id, given));
      } catch (error) {
        throw await withChoices(call, declaration, asNamed(declaration, error));
      }
    },
  };
}

/** A call that is made again changes nothing more. */
const isIdempotent = ({ kind }: OperationDeclaration): boolean => kind !== 'create' && kind !== 'batch';

function outputOf({ answer, shape, resource }: OperationDeclaration): { outputSchema?: ObjectSchema } {
  if (!answer || shape === 'nothing') return {};
  if (shape !== 'list') return { outputSchema: outputSchema(answer) };
  const brief = briefOf(resource);
  const { properties } = outputSchema(answer);
  const shown = Object.entries(properties).filter(([name]) => brief?.includes(name) ?? name !== 'app_url');
  return {
    outputSchema: {
      type: 'object',
      properties: {
        items: { type: 'array', items: { type: 'object', properties: Object.fromEntries(shown) } },
        ...('app_url' in properties ? { pages: { type: 'string' } } : {}),
        next_cursor: { type: ['string', 'null'] },
        total: { type: 'integer' },
      },
      required: ['items', 'next_cursor'],
    },
  };
}

/** What a list takes: pages are as long as a model should read at once. */
function listInput(schema: ObjectSchema): ObjectSchema {
  const { limit } = schema.properties;
  if (limit === undefined) return schema;
  const description = `${usualPage} when not given; fewer are answered where more would be too long.`;
  return { ...schema, properties: { ...schema.properties, limit: { ...limit, description } } };
}

/**
 * What an operation answered without its secrets, which are for no model: whoever talks it into telling what it has
 * read would have them. Says of each where in the console a person gets it.
 */
function withoutSecrets(
  { answer, resource }: OperationDeclaration,
  value: unknown,
  origin: string,
): { readonly value: unknown; readonly secrets: CallToolResult['content'] } {
  if (!answer || typeof value !== 'object' || value === null) return { value, secrets: [] };
  const secret = fieldsOf(answer).filter(
    ({ name, description }) => description?.secret === true && name in value,
  );
  if (secret.length === 0) return { value, secrets: [] };
  const names = new Set(secret.map(({ name }) => name));
  const shown = Object.entries(value).filter(([name]) => !names.has(name));
  const page = pageOf(resource, value, origin);
  const secrets = secret.map(({ name, description }) => ({
    type: 'text' as const,
    text: `The ${labelInSentence(description?.label.en ?? name)} is not shown to assistants. Tell the user that an owner of the organization gets one in the console, by "Change the secret" at ${page}.`,
  }));
  return { value: Object.fromEntries(shown), secrets };
}

/** The page of a record has the path by which the API reads it. */
function pageOf(resource: string, record: object, origin: string): string {
  const path = getOperationOf({ resource })?.path ?? '';
  return `${origin}${path.replace(/\{\w+\}$/, idOf(record) ?? '')}`;
}
