import { resources } from '@dealkeep/contract';
import type { DisplayOptions, Property } from './property.ts';
import { fieldOptions } from './record-fields.ts';
import type { GeneratedOperation } from './resource-operations.ts';

/** Where the node is a tool of an AI agent. */
export const asTool = { '@tool': [true] } as const;

/**
 * How much of a record is given out, as n8n's guidelines have it: a switch in workflows, and a choice for AI agents,
 * who pay for each word. Only of records with more fields than the guidelines want to show at once.
 */
export function outputProperties(of: readonly GeneratedOperation[], resource: string): Property[] {
  const large = of.filter(({ table }) => table.simplified !== undefined);
  const [first] = large;
  if (!first) return [];
  const shown = { resource: [resource], operation: large.map(({ value }) => value) };
  const toTools: DisplayOptions = { show: { ...shown, ...asTool } };
  return [
    {
      displayName: 'Simplify',
      name: 'simplify',
      type: 'boolean',
      default: true,
      displayOptions: { show: shown, hide: asTool },
      description: 'Whether to return a simplified version of the response instead of the raw data',
    },
    {
      displayName: 'Output',
      name: 'output',
      type: 'options',
      default: 'simplified',
      displayOptions: toTools,
      options: [
        { name: 'Simplified', value: 'simplified', description: 'The fields that matter most' },
        { name: 'Raw', value: 'raw', description: 'All fields, as the API gives them' },
        { name: 'Selected Fields', value: 'selectedFields', description: 'Only the fields that you choose' },
      ],
      description: 'How much of each record to return',
    },
    {
      displayName: 'Fields',
      name: 'fields',
      type: 'multiOptions',
      default: first.table.simplified?.slice(0, 2) ?? [],
      displayOptions: { show: { ...toTools.show, output: ['selectedFields'] } },
      options: fieldOptions(resources[first.resource].schema),
      description: 'The fields to return',
    },
  ];
}
