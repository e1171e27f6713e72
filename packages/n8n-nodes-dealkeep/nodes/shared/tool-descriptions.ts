import type { INodeProperties } from 'n8n-workflow';

/** When an agent takes an operation rather than another; the contract says what each does. */
const whenToUse: Readonly<Record<string, string>> = {
  create: 'Use it when nothing that fits exists yet.',
  getAll: 'Use it to find records, before creating one too, and the IDs that other tools ask for.',
  get: 'Use it when the ID is known.',
  update: 'Use it when the ID is known.',
  upsert: 'Use it when it is not known whether the record exists.',
};

/**
 * What the node says of itself as a tool of AI agents, one description for each operation: what it does, and when to use
 * it. People can change it in the editor. Without these, n8n would tell an agent the action alone.
 */
export const toolDescriptions = (properties: readonly INodeProperties[]): INodeProperties[] =>
  properties
    .filter(({ name }) => name === 'operation')
    .flatMap(({ options = [], displayOptions }) =>
      options.flatMap((option) => {
        if (!('value' in option)) return [];
        return {
          displayName: 'Description',
          name: 'toolDescription',
          type: 'string',
          typeOptions: { rows: 3 },
          required: true,
          default: describe(
            option.action ?? option.name,
            option.description,
            whenToUse[String(option.value)],
          ),
          description: 'What the agent is told of this tool: what it does, and when to use it',
          displayOptions: { show: { '@tool': [true], ...displayOptions?.show, operation: [option.value] } },
        } satisfies INodeProperties;
      }),
    );

const describe = (action: string, ...sentences: (string | undefined)[]): string =>
  [`${action} in Dealkeep`, ...sentences]
    .flatMap((text) => (text ? `${text.replace(/\.$/, '')}.` : []))
    .join(' ');
