import { dataSchemaOf, errorStatus, events, eventTypes, fieldError } from '@dealkeep/contract';
import { batchLimits, routes, userAgent } from '../src/registry.ts';
import { printMethods } from './print-methods.ts';
import { comment, literal, SchemaPrinter } from './print-schema.ts';

/**
 * What stands in the place of the three files of src/ that read from the contract, in the published package: the
 * same types and the same table, without the contract and zod, and with descriptions as documentation comments.
 */
export function printContract(): Readonly<Record<'dealkeep.ts' | 'records.ts' | 'registry.ts', string>> {
  const printer = new SchemaPrinter();
  const methods = printMethods(printer);
  const eventData = eventTypes.map(
    (type) => `${comment(events[type].description.en)}'${type}': ${printer.print(dataSchemaOf(type))};\n`,
  );
  const names = [...printer.declarations.keys()].sort();
  const imports = (used: string) =>
    `import type { ${names.filter((name) => new RegExp(`\\b${name}\\b`).test(used)).join(', ')} } from './records.ts';`;
  return {
    'records.ts': [...printer.declarations.values()].join('\n'),

    'dealkeep.ts': `
${imports(methods)}
import type { CallOptions, PostOptions } from './options.ts';
import type { ListRequest } from './page.ts';

/** The API: every operation as \`dealkeep.leads.move(id, body, options)\`. */
export interface Dealkeep {
${methods}}
`,

    'registry.ts': `
${imports(eventData.join(''))}
import type { Route } from './route.ts';

export type { WebhookEnvelope } from './records.ts';

/** The \`data\` of every event's envelope: the record as its GET answers it. */
export interface EventData {
${eventData.join('')}}

export type EventType = keyof EventData;

/** Every error code of the API. */
export type ErrorCode = ${Object.keys(errorStatus).map(literal).join(' | ')};

/** One failing field of a 422 \`VALIDATION_ERROR\`: where, why, and in words. */
export interface FieldError { ${membersOf(fieldError({ path: '', key: 'field.required' }, 'en'))} }

/** How the client introduces itself; browsers may send their own name instead. */
export const userAgent = ${literal(userAgent)};

/** The most that one batch takes: items, and bytes of all of them. */
export const batchLimits = ${JSON.stringify(batchLimits)};

export const routes: readonly Route[] = ${JSON.stringify(routes, null, 2)};
`,
  };
}

const membersOf = (value: object): string =>
  Object.entries(value)
    .map(([name, member]) => `${name}: ${typeof member};`)
    .join(' ');
