// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { INodeProperties } from 'n8n-workflow';

export const meDescription: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['me'] } },
    options: [
      {
        name: 'Get',
        value: 'get',
        action: 'Get connection',
        description: 'Retrieve whose data this credential reaches, and its limits',
      },
    ],
    default: 'get',
  },
];
