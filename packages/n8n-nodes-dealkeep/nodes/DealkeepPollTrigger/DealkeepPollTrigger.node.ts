import {
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { nodeCredentials } from '../shared/authentication.ts';
import { loadMethods } from '../shared/choices/methods.ts';
import { pollFeed } from '../shared/trigger/poll-feed.ts';
import { outputOption, triggerProperties } from '../shared/trigger/trigger-properties.ts';

export class DealkeepPollTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Dealkeep Poll Trigger',
    name: 'dealkeepPollTrigger',
    icon: { light: 'file:../../icons/dealkeep.svg', dark: 'file:../../icons/dealkeep.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description:
      'Asks Dealkeep what has happened since the last time and starts the workflow with it. For an n8n that Dealkeep cannot reach.',
    defaults: { name: 'Dealkeep Poll Trigger' },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: nodeCredentials,
    properties: triggerProperties([outputOption]),
  };

  methods = { loadOptions: loadMethods };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    return await pollFeed(this);
  }
}
