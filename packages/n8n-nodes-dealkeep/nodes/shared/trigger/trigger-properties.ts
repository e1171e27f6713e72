import type { INodeProperties } from 'n8n-workflow';
import { authenticationParameter } from '../authentication.ts';
import { triggerDescription } from '../generated/trigger-description.ts';

/** What both triggers give out is the same, so that a workflow can change from one to the other. */
export const outputOption: INodeProperties = {
  displayName: 'Output',
  name: 'output',
  type: 'options',
  options: [
    {
      name: 'Full Envelope',
      value: 'envelope',
      description: 'The event as Dealkeep tells it, with the record under data',
    },
    {
      name: 'Record',
      value: 'record',
      description: 'The fields of the record, with the ID, type and time of the event, and what was before',
    },
  ],
  default: 'record',
  description: 'What the workflow receives',
};

/** The parameters of a trigger, with its options. */
export const triggerProperties = (options: INodeProperties[]): INodeProperties[] => [
  authenticationParameter,
  ...triggerDescription,
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    options,
  },
];
