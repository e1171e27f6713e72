// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { INodeProperties } from 'n8n-workflow';
import { meDescription } from './me-description.ts';
import { companyDescription } from './company-description.ts';
import { contactDescription } from './contact-description.ts';
import { leadDescription } from './lead-description.ts';
import { userDescription } from './user-description.ts';
import { pipelineDescription } from './pipeline-description.ts';
import { leadOriginDescription } from './lead-origin-description.ts';
import { lostReasonDescription } from './lost-reason-description.ts';
import { tagDescription } from './tag-description.ts';
import { customFieldDescription } from './custom-field-description.ts';
import { webhookDescription } from './webhook-description.ts';

const resource: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Company', value: 'company' },
    { name: 'Connection', value: 'me' },
    { name: 'Contact', value: 'contact' },
    { name: 'Custom Field', value: 'customField' },
    { name: 'Lead', value: 'lead' },
    { name: 'Lead Origin', value: 'leadOrigin' },
    { name: 'Lost Reason', value: 'lostReason' },
    { name: 'Pipeline', value: 'pipeline' },
    { name: 'REST Hook', value: 'webhook' },
    { name: 'Tag', value: 'tag' },
    { name: 'User', value: 'user' },
  ],
  default: 'company',
};

/** All parameters of the action node. */
export const actionDescription: INodeProperties[] = [
  resource,
  ...meDescription,
  ...companyDescription,
  ...contactDescription,
  ...leadDescription,
  ...userDescription,
  ...pipelineDescription,
  ...leadOriginDescription,
  ...lostReasonDescription,
  ...tagDescription,
  ...customFieldDescription,
  ...webhookDescription,
];
