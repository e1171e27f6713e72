// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { Choices } from '../tables.ts';

/** Dropdowns that are searched page by page, by the method that fills them. */
export const searches: Readonly<Record<string, Choices>> = {
  searchActivity: {
    list: '/activities',
    paged: true,
    searchable: true,
    value: 'id',
    names: ['name', 'company.name'],
  },
  searchActivityType: { list: '/activity-types', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchBooking: { list: '/bookings', paged: true, searchable: true, value: 'id', names: ['customer.name'] },
  searchBookingService: { list: '/booking-services', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchBookingStaff: { list: '/booking-staff', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchClient: { list: '/clients', paged: true, searchable: true, value: 'id', names: ['company.name'] },
  searchCompany: { list: '/companies', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchContact: { list: '/contacts', paged: true, searchable: true, value: 'id', names: ['name', 'company.name'] },
  searchContactByCompanyId: {
    list: '/contacts',
    paged: true,
    searchable: true,
    value: 'id',
    names: ['name', 'company.name'],
    parent: { parameter: 'companyId', filter: 'company_id' },
  },
  searchInvoice: { list: '/invoices', paged: true, searchable: true, value: 'id', names: ['number'] },
  searchLead: { list: '/leads', paged: true, searchable: true, value: 'id', names: ['name', 'company.name'] },
  searchLeadOrigin: { list: '/lead-origins', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchLostReason: { list: '/lost-reasons', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchOrder: { list: '/orders', paged: true, searchable: true, value: 'uuid', names: ['internal_number'] },
  searchPipeline: { list: '/pipelines', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchProduct: { list: '/products', paged: true, searchable: true, value: 'uuid', names: ['name'] },
  searchProductCategory: { list: '/products/categories', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchProject: { list: '/projects', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchProjectStageByProjectId: {
    list: '/projects',
    paged: true,
    searchable: true,
    value: 'id',
    names: ['name', 'title', 'number', 'internal_number', 'company.name', 'customer.name', 'target_url'],
    items: 'stages',
    parent: { parameter: 'projectId', filter: 'project_id' },
  },
  searchStageByPipelineId: {
    list: '/pipelines',
    paged: true,
    searchable: true,
    value: 'id',
    names: ['name', 'title', 'number', 'internal_number', 'company.name', 'customer.name', 'target_url'],
    items: 'stages',
    parent: { parameter: 'pipelineId', filter: 'pipeline_id' },
  },
  searchTagByName: { list: '/tags', paged: true, searchable: true, value: 'name', names: ['name'] },
  searchTask: { list: '/tasks', paged: true, searchable: true, value: 'id', names: ['title', 'company.name'] },
  searchUser: { list: '/users', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchWebhook: { list: '/webhooks', paged: false, searchable: false, value: 'id', names: ['name', 'target_url'] },
};

/** Dropdowns of several choices, which are loaded whole. */
export const loads: Readonly<Record<string, Choices>> = { loadUser: { list: '/users', paged: true, searchable: true, value: 'id', names: ['name'] } };
