import * as z from 'zod';
import {
  type Definition,
  type InputField,
  inputFieldsOf,
  type Operation,
  outputFieldsOf,
} from '../checks/definition.ts';

/**
 * What Zaps rely on in a definition, in a form that people read and compare: kept beside the code for the version
 * that was released last. Texts are not part of it.
 */
const fields = z.record(z.string(), z.string());
const operations = z.record(
  z.string(),
  z.object({
    /** `hook` or `polling` of a trigger. */
    type: z.string().optional(),
    hidden: z.literal(true).optional(),
    /** By its key: `string`, `string, required`, `string[]: created | paid`. */
    inputs: fields,
    /** By its key, as people map it: `company__name`, `items[]quantity`. */
    outputs: fields,
  }),
);
export const Surface = z.object({
  authentication: z.object({ type: z.string(), fields }),
  triggers: operations,
  creates: operations,
  searches: operations,
  /** By its key, the search and the action that it joins: `find_lead, create_lead`. */
  searchOrCreates: fields,
});
export type Surface = z.output<typeof Surface>;
export type SurfaceOperation = Surface['triggers'][string];

/** A version and what Zaps rely on in it. */
export const Release = z.object({ version: z.string(), surface: Surface });
export type Release = z.output<typeof Release>;

export function surfaceOf(definition: Definition): Surface {
  const { authentication, triggers, creates, searches, searchOrCreates } = definition;
  return {
    authentication: {
      type: authentication.type,
      fields: Object.fromEntries(authentication.fields.map((field) => [field.key, inputText(field)])),
    },
    triggers: mapped(triggers, operationSurface),
    creates: mapped(creates, operationSurface),
    searches: mapped(searches, operationSurface),
    searchOrCreates: mapped(searchOrCreates, ({ search, create }) => `${search}, ${create}`),
  };
}

function operationSurface(operation: Operation): SurfaceOperation {
  const { type } = operation.operation;
  return {
    ...(type === undefined ? {} : { type }),
    ...(operation.display.hidden ? { hidden: true } : {}),
    inputs: Object.fromEntries(
      inputFieldsOf({ where: '', operation }).map(({ field }) => [field.key, inputText(field)]),
    ),
    outputs: Object.fromEntries(
      outputFieldsOf(operation).map(({ key, type: kind = 'string', list, dict }) => [
        key,
        dict ? 'dictionary' : `${kind}${list ? '[]' : ''}`,
      ]),
    ),
  };
}

/** A required field with a default asks nothing of the Zaps that there are. */
function inputText(field: InputField): string {
  const { type = 'children' in field ? 'lines' : 'string', list, required, default: preset, choices } = field;
  const values = valuesOf(choices);
  return [
    `${type}${list ? '[]' : ''}`,
    required && preset === undefined ? ', required' : '',
    values.length > 0 ? `: ${values.join(' | ')}` : '',
  ].join('');
}

const valuesOf = (choices: unknown): string[] => Object.keys(Object(choices));

const mapped = <In, Out>(entries: Record<string, In>, change: (value: In) => Out): Record<string, Out> =>
  Object.fromEntries(Object.entries(entries).map(([key, value]) => [key, change(value)]));
