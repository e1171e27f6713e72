import type { INodeProperties } from 'n8n-workflow';
import { whenToUse } from './generated/instructions.ts';
import { operations } from './generated/operations.ts';
import type { Operation } from './tables.ts';

/**
 * What the node says of itself as a tool of AI agents, one description for each operation: what it does, and when to
 * use it. People can change it in the editor. Without these, n8n would tell an agent the action alone.
 */
export const toolDescriptions = (properties: readonly INodeProperties[]): INodeProperties[] =>
  properties
    .filter(({ name }) => name === 'operation')
    .flatMap(({ options = [], displayOptions }) =>
      options.flatMap((option) => {
        if (!('value' in option)) return [];
        const [resource, operation] = [String(displayOptions?.show?.['resource']?.[0]), String(option.value)];
        return {
          displayName: 'Description',
          name: 'toolDescription',
          type: 'string',
          typeOptions: { rows: 3 },
          required: true,
          default: describe(
            option.action ?? option.name,
            option.description,
            whenToUse[resource]?.[operation],
            aboutEmptyValues(operations[resource]?.[operation]),
          ),
          description: 'What the agent is told of this tool: what it does, and when to use it',
          displayOptions: { show: { '@tool': [true], ...displayOptions?.show, operation: [option.value] } },
        } satisfies INodeProperties;
      }),
    );

/** Agents often send an empty text for what they do not know, and must not fear that it erases something. */
function aboutEmptyValues(operation: Operation | undefined): string | undefined {
  if (operation?.collection === 'updateFields') return 'An empty value leaves its field as it is';
  return operation?.list?.filters.length ? 'An empty filter is ignored' : undefined;
}

const describe = (action: string, ...sentences: (string | undefined)[]): string =>
  [`${action} in Dealkeep`, ...sentences]
    .flatMap((text) => (text ? `${text.replace(/\.$/, '')}.` : []))
    .join(' ');
