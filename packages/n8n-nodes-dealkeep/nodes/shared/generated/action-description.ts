// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { INodeProperties } from 'n8n-workflow';
import { meDescription } from './me-description.ts';
import { companyDescription } from './company-description.ts';
import { contactDescription } from './contact-description.ts';
import { leadDescription } from './lead-description.ts';
import { clientDescription } from './client-description.ts';
import { activityDescription } from './activity-description.ts';
import { taskDescription } from './task-description.ts';
import { invoiceDescription } from './invoice-description.ts';
import { bookingDescription } from './booking-description.ts';
import { orderDescription } from './order-description.ts';
import { productDescription } from './product-description.ts';
import { userDescription } from './user-description.ts';
import { pipelineDescription } from './pipeline-description.ts';
import { leadOriginDescription } from './lead-origin-description.ts';
import { lostReasonDescription } from './lost-reason-description.ts';
import { tagDescription } from './tag-description.ts';
import { customFieldDescription } from './custom-field-description.ts';
import { activityTypeDescription } from './activity-type-description.ts';
import { projectDescription } from './project-description.ts';
import { productCategoryDescription } from './product-category-description.ts';
import { bookingServiceDescription } from './booking-service-description.ts';
import { bookingStaffDescription } from './booking-staff-description.ts';
import { webhookDescription } from './webhook-description.ts';

const resource: INodeProperties = {
  displayName: 'Resource',
  name: 'resource',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'Activity', value: 'activity' },
    { name: 'Activity Type', value: 'activityType' },
    { name: 'Booking', value: 'booking' },
    { name: 'Booking Service', value: 'bookingService' },
    { name: 'Client', value: 'client' },
    { name: 'Company', value: 'company' },
    { name: 'Connection', value: 'me' },
    { name: 'Contact', value: 'contact' },
    { name: 'Custom Field', value: 'customField' },
    { name: 'Invoice', value: 'invoice' },
    { name: 'Lead', value: 'lead' },
    { name: 'Lead Origin', value: 'leadOrigin' },
    { name: 'Lost Reason', value: 'lostReason' },
    { name: 'Order', value: 'order' },
    { name: 'Pipeline', value: 'pipeline' },
    {
      name: 'Product',
      value: 'product',
      displayOptions: { hide: { '/authentication': ['oAuth2'] } },
    },
    {
      name: 'Product Category',
      value: 'productCategory',
      displayOptions: { hide: { '/authentication': ['oAuth2'] } },
    },
    { name: 'Project', value: 'project' },
    { name: 'REST Hook', value: 'webhook' },
    { name: 'Staff Member', value: 'bookingStaff' },
    { name: 'Tag', value: 'tag' },
    { name: 'Task', value: 'task' },
    { name: 'User', value: 'user' },
  ],
  default: 'company',
};

/** All parameters of the action node but the choice of its credential. */
export const actionDescription: INodeProperties[] = [
  resource,
  ...meDescription,
  ...companyDescription,
  ...contactDescription,
  ...leadDescription,
  ...clientDescription,
  ...activityDescription,
  ...taskDescription,
  ...invoiceDescription,
  ...bookingDescription,
  ...orderDescription,
  ...productDescription,
  ...userDescription,
  ...pipelineDescription,
  ...leadOriginDescription,
  ...lostReasonDescription,
  ...tagDescription,
  ...customFieldDescription,
  ...activityTypeDescription,
  ...projectDescription,
  ...productCategoryDescription,
  ...bookingServiceDescription,
  ...bookingStaffDescription,
  ...webhookDescription,
];
