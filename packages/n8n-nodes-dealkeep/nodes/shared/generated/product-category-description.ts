// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { INodeProperties } from 'n8n-workflow';

export const productCategoryDescription: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['productCategory'] } },
    options: [
      {
        name: 'Get Many',
        value: 'getAll',
        action: 'Get many product categories',
        description: 'Retrieve a list of product categories. Categories that products have.',
      },
    ],
    default: 'getAll',
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    displayOptions: { show: { resource: ['productCategory'], operation: ['getAll'] } },
    description: 'Whether to return all results or only up to a given limit',
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    displayOptions: { show: { resource: ['productCategory'], operation: ['getAll'], returnAll: [false] } },
    description: 'Max number of results to return',
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add Filter',
    default: {},
    displayOptions: { show: { resource: ['productCategory'], operation: ['getAll'] } },
    options: [
      {
        displayName: 'Created After',
        name: 'createdAfter',
        type: 'dateTime',
        default: '',
        description: 'Only records created after this moment',
      },
      {
        displayName: 'Search',
        name: 'q',
        type: 'string',
        default: '',
        placeholder: 'e.g. City bike 28", Helmet, Lock +4',
        description: 'Part of the name of one of its products',
      },
      {
        displayName: 'Updated Since',
        name: 'updatedSince',
        type: 'dateTime',
        default: '',
        description: 'Only records updated at this moment or later',
      },
    ],
  },
  {
    displayName: 'Sort',
    name: 'sort',
    type: 'fixedCollection',
    placeholder: 'Add Sort',
    default: {},
    displayOptions: { show: { resource: ['productCategory'], operation: ['getAll'] } },
    options: [
      {
        displayName: 'Sort',
        name: 'values',
        values: [
          {
            displayName: 'Field',
            name: 'field',
            type: 'options',
            options: [
              { name: 'Created At', value: 'created_at' },
              { name: 'Name', value: 'name' },
              { name: 'Updated At', value: 'updated_at' },
            ],
            default: 'created_at',
            description: 'The field to sort by',
          },
          {
            displayName: 'Direction',
            name: 'direction',
            type: 'options',
            options: [{ name: 'Ascending', value: 'ascending' }, { name: 'Descending', value: 'descending' }],
            default: 'descending',
          },
        ],
      },
    ],
  },
];
