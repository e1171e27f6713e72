import { type ToolSetName, toolSetLabels, toolSetNames } from './assistant-access.ts';
import type { OperationId } from './operations.ts';
import { type RecordName, recordKindNames, records } from './records.ts';
import type { ResourceName } from './resources.ts';
import type { Text } from './text.ts';

/** Where AI assistants connect, below the origin: the Model Context Protocol over Streamable HTTP. */
export const mcpPath = '/mcp';

/** Every path at which assistants connect: all sets of tools or one of them, each also for reading alone. */
export const mcpAddresses: readonly string[] = [
  '',
  '/all',
  ...toolSetNames.map((name) => `/${name}`),
].flatMap((set) => [`${mcpPath}${set}`, `${mcpPath}${set}/readonly`]);

const known = new Set(mcpAddresses);

export const isMcpAddress = (path: string): boolean => known.has(path);

interface ToolSetDeclaration {
  readonly label: Text;
  /** The resources whose operations are tools of it: those records, and what they choose from. */
  readonly resources: readonly ResourceName[];
}

/** The records of a set of tools. */
const recordsOf = (set: ToolSetName): readonly RecordName[] =>
  recordKindNames.filter((name) => records[name].toolSet === set);

/** Groups of tools for AI assistants, each with an address of its own; an owner allows them one by one. */
export const toolSets = {
  sales: {
    label: toolSetLabels.sales,
    resources: [...recordsOf('sales'), 'pipeline', 'lead-origin', 'lost-reason', 'tag', 'custom-field'],
  },
  work: {
    label: toolSetLabels.work,
    resources: [...recordsOf('work'), 'activity-type', 'project', 'booking-service', 'booking-staff'],
  },
  billing: { label: toolSetLabels.billing, resources: recordsOf('billing') },
  shop: { label: toolSetLabels.shop, resources: [...recordsOf('shop'), 'product-category'] },
  webhooks: { label: toolSetLabels.webhooks, resources: ['webhook', 'delivery'] },
} as const satisfies Record<ToolSetName, ToolSetDeclaration>;

/**
 * What an assistant is offered that asks for no set: the daily work of sales, few enough to be read with every
 * question.
 */
export const usualTools: ReadonlySet<OperationId> = new Set<OperationId>([
  'leads.list',
  'leads.get',
  'leads.create',
  'leads.update',
  'leads.move',
  'leads.archive',
  'companies.list',
  'companies.get',
  'companies.update',
  'companies.upsert',
  'contacts.list',
  'contacts.get',
  'contacts.upsert',
  'activities.list',
  'activities.create',
  'activities.complete',
  'tasks.list',
  'tasks.create',
  'tasks.update',
  'pipelines.list',
]);
