// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { INodePropertyMode } from 'n8n-workflow';

const byId: INodePropertyMode = {
  displayName: 'By ID',
  name: 'id',
  type: 'string',
  placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
};

const byName: INodePropertyMode = { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. VIP' };

export const activityModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchActivity', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/activities/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const activityTypeModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchActivityType', searchable: true },
  },
  byId,
];

export const bookingModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchBooking', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/bookings/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const bookingServiceModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchBookingService', searchable: true },
  },
  byId,
];

export const bookingStaffModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchBookingStaff', searchable: true },
  },
  byId,
];

export const clientModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchClient', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/clients/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const companyModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchCompany', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/companies/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const contactByCompanyIdModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchContactByCompanyId', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/contacts/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const contactModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchContact', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/contacts/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const invoiceModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchInvoice', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/invoices/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const leadModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchLead', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/leads/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const leadOriginModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchLeadOrigin', searchable: true },
  },
  byId,
];

export const lostReasonModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchLostReason', searchable: true },
  },
  byId,
];

export const orderModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchOrder', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/orders/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const pipelineModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchPipeline', searchable: true },
  },
  byId,
];

export const productCategoryModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchProductCategory', searchable: true },
  },
  byId,
];

export const productModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchProduct', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/products/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const projectModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchProject', searchable: true },
  },
  byId,
];

export const projectStageByProjectIdModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchProjectStageByProjectId', searchable: true },
  },
  byId,
];

export const stageByPipelineIdModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchStageByPipelineId', searchable: true },
  },
  byId,
];

export const tagByNameModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchTagByName', searchable: true },
  },
  byName,
];

export const taskModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchTask', searchable: true },
  },
  byId,
  {
    displayName: 'By URL',
    name: 'url',
    type: 'string',
    placeholder: 'e.g. https://crm.example.com/tasks/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63',
    extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' },
  },
];

export const userModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchUser', searchable: true },
  },
  byId,
];

export const webhookModes: INodePropertyMode[] = [
  {
    displayName: 'From List',
    name: 'list',
    type: 'list',
    typeOptions: { searchListMethod: 'searchWebhook', searchable: true },
  },
  byId,
];
