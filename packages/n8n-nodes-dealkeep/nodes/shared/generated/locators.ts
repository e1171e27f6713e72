// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { INodePropertyMode } from 'n8n-workflow';

type Locator = { modes: INodePropertyMode[] };

export const activityLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchActivity', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/activities/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const activityTypeLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchActivityType', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const bookingLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchBooking', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/bookings/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const bookingServiceLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchBookingService', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const bookingStaffLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchBookingStaff', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const clientLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchClient', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/clients/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const comingBookingLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchComingBooking', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/bookings/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const companyLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchCompany', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/companies/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const completedTaskLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchCompletedTask', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/tasks/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const contactByCompanyIdLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchContactByCompanyId', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/contacts/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const contactLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchContact', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/contacts/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const currentLeadLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchCurrentLead', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/leads/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const currentTaskLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchCurrentTask', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/tasks/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const customFieldByNameLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchCustomFieldByName', searchable: true } }, { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. VIP' }] };

export const customFieldLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchCustomField', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const deliveryLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchDelivery', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const invoiceLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchInvoice', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/invoices/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const leadLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchLead', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/leads/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const leadOriginLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchLeadOrigin', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const lostReasonLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchLostReason', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const openActivityLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchOpenActivity', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/activities/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const openTaskLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchOpenTask', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/tasks/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const orderLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchOrder', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/orders/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const pipelineLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchPipeline', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const productCategoryLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchProductCategory', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const productLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchProduct', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/products/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const projectLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchProject', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const projectStageByProjectIdLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchProjectStageByProjectId', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const stageByPipelineIdLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchStageByPipelineId', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const tagByNameLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchTagByName', searchable: true } }, { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. VIP' }] };

export const tagLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchTag', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const taskLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchTask', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }, { displayName: 'By URL', name: 'url', type: 'string', placeholder: 'e.g. https://crm.example.com/tasks/01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63', extractValue: { type: 'regex', regex: '.*([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}).*' } }] };

export const userLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchUser', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };

export const webhookLocator: Locator = { modes: [{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'searchWebhook', searchable: true } }, { displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 01985f6e-2c41-7d3a-9b52-4f0c8a7e1d63' }] };
