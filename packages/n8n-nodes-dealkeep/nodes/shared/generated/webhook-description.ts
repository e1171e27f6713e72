// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { INodeProperties } from 'n8n-workflow';
import { eventOptions } from './constants.ts';
import { webhookLocator } from './locators.ts';

export const webhookDescription: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['webhook'] } },
    options: [
      {
        name: 'Create',
        value: 'create',
        action: 'Create REST hook',
        description: 'Send events to an address of yours. To start a workflow, use the Dealkeep Trigger instead.',
      },
      {
        name: 'Delete',
        value: 'delete',
        action: 'Delete REST hook',
        description: 'Delete a REST hook. What was still to be delivered to it is dropped.',
      },
      { name: 'Get', value: 'get', action: 'Get REST hook', description: 'Retrieve a REST hook' },
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many REST hooks',
        description: 'Retrieve a list of the REST hooks of this credential',
      },
      {
        name: 'Get Many Event Types',
        value: 'getEventTypes',
        action: 'Get many event types',
        description: 'Retrieve a list of the events that a REST hook can be made for',
      },
      {
        name: 'Get Sample Event',
        value: 'getSample',
        action: 'Get sample event',
        description: 'Retrieve an event with realistic values, in the form in which it is delivered',
      },
    ],
    default: 'create',
  },
  {
    displayName: 'Event',
    name: 'eventType',
    type: 'options',
    default: 'lead.created',
    options: eventOptions,
    description: 'Type of an event, as the catalog lists it',
    required: true,
    displayOptions: { show: { resource: ['webhook'], operation: ['getSample'] } },
  },
  {
    displayName: 'REST Hook',
    name: 'webhookId',
    type: 'resourceLocator',
    default: { mode: 'list', value: '' },
    modes: webhookLocator.modes,
    required: true,
    displayOptions: { show: { resource: ['webhook'], operation: ['get', 'delete'] } },
  },
  {
    displayName: 'Target URL',
    name: 'targetUrl',
    type: 'string',
    default: '',
    placeholder: 'e.g. https://hooks.example.com/dealkeep/8f2c',
    description: 'A public https:// address that receives the events',
    required: true,
    displayOptions: { show: { resource: ['webhook'], operation: ['create'] } },
  },
  {
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    default: [],
    options: eventOptions,
    required: true,
    displayOptions: { show: { resource: ['webhook'], operation: ['create'] } },
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    displayOptions: { show: { resource: ['webhook'], operation: ['getAll', 'getEventTypes'] } },
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    displayOptions: { show: { resource: ['webhook'], operation: ['getAll', 'getEventTypes'], returnAll: [false] } },
    description: 'Max number of results to return',
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: { resource: ['webhook'], operation: ['create'] } },
    options: [
      {
        displayName: 'Name',
        name: 'name',
        type: 'string',
        default: '',
        placeholder: 'e.g. New leads to the mailing list',
        description: 'Named after the key and the first event when not given',
      },
    ],
  },
];
