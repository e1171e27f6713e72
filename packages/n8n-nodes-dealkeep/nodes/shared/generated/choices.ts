// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { Choices } from '../tables.ts';

/** Dropdowns that are searched page by page, by the method that fills them. */
export const searches: Readonly<Record<string, Choices>> = {
  searchActivity: { list: '/activities', paged: true, searchable: true, value: 'id', names: ['name'], apart: ['company.name', 'start_at'] },
  searchActivityType: { list: '/activity-types', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchBooking: { list: '/bookings', paged: true, searchable: true, value: 'id', names: ['customer.name'], apart: ['starts_at'] },
  searchBookingService: { list: '/booking-services', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchBookingStaff: { list: '/booking-staff', paged: true, searchable: true, value: 'id', names: ['name'], apart: ['email'] },
  searchClient: { list: '/clients', paged: true, searchable: true, value: 'id', names: ['company.name'] },
  searchComingBooking: { list: '/bookings', paged: true, searchable: true, value: 'id', names: ['customer.name'], apart: ['starts_at'], query: { status: 'pending,confirmed' } },
  searchCompany: { list: '/companies', paged: true, searchable: true, value: 'id', names: ['name'], apart: ['email'] },
  searchCompletedTask: { list: '/tasks', paged: true, searchable: true, value: 'id', names: ['title'], apart: ['company.name'], query: { archived: 'false', completed: 'true' } },
  searchContact: { list: '/contacts', paged: true, searchable: true, value: 'id', names: ['name'], apart: ['email', 'company.name'] },
  searchContactByCompanyId: { list: '/contacts', paged: true, searchable: true, value: 'id', names: ['name'], apart: ['email', 'company.name'], parent: { parameter: 'companyId', filter: 'company_id' } },
  searchCurrentLead: { list: '/leads', paged: true, searchable: true, value: 'id', names: ['name', 'company.name'], apart: ['company.name'], query: { archived: 'false' } },
  searchCurrentTask: { list: '/tasks', paged: true, searchable: true, value: 'id', names: ['title'], apart: ['company.name'], query: { archived: 'false' } },
  searchCustomField: { list: '/custom-fields', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchCustomFieldByName: { list: '/custom-fields', paged: true, searchable: true, value: 'name', names: ['name'] },
  searchDelivery: { list: '/webhooks/{id}/deliveries', paged: true, searchable: false, value: 'id', names: ['event', 'id'], apart: ['last_attempt_at'], parent: { parameter: 'webhookId', filter: 'id', inPath: true } },
  searchInvoice: { list: '/invoices', paged: true, searchable: true, value: 'id', names: ['number'] },
  searchLead: { list: '/leads', paged: true, searchable: true, value: 'id', names: ['name', 'company.name'], apart: ['company.name'] },
  searchLeadOrigin: { list: '/lead-origins', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchLostReason: { list: '/lost-reasons', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchOpenActivity: { list: '/activities', paged: true, searchable: true, value: 'id', names: ['name'], apart: ['company.name', 'start_at'], query: { status: 'open' } },
  searchOpenTask: { list: '/tasks', paged: true, searchable: true, value: 'id', names: ['title'], apart: ['company.name'], query: { archived: 'false', completed: 'false' } },
  searchOrder: { list: '/orders', paged: true, searchable: true, value: 'uuid', names: ['internal_number'], apart: ['customer_name'] },
  searchPipeline: { list: '/pipelines', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchProduct: { list: '/products', paged: true, searchable: true, value: 'uuid', names: ['name'], apart: ['sku'] },
  searchProductCategory: { list: '/products/categories', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchProject: { list: '/projects', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchProjectStageByProjectId: { list: '/projects', paged: true, searchable: true, value: 'id', names: ['name'], items: 'stages', parent: { parameter: 'projectId', filter: 'project_id' } },
  searchStageByPipelineId: { list: '/pipelines', paged: true, searchable: true, value: 'id', names: ['name'], items: 'stages', parent: { parameter: 'pipelineId', filter: 'pipeline_id' } },
  searchTag: { list: '/tags', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchTagByName: { list: '/tags', paged: true, searchable: true, value: 'name', names: ['name'] },
  searchTask: { list: '/tasks', paged: true, searchable: true, value: 'id', names: ['title'], apart: ['company.name'] },
  searchUser: { list: '/users', paged: true, searchable: true, value: 'id', names: ['name'], apart: ['email'] },
  searchWebhook: { list: '/webhooks', paged: true, searchable: false, value: 'id', names: ['name', 'target_url'] },
};

/** Dropdowns of several choices, which are loaded whole. */
export const loads: Readonly<Record<string, Choices>> = {
  loadActivityType: { list: '/activity-types', paged: true, searchable: true, value: 'id', names: ['name'] },
  loadBookingService: { list: '/booking-services', paged: true, searchable: true, value: 'id', names: ['name'] },
  loadBookingStaff: { list: '/booking-staff', paged: true, searchable: true, value: 'id', names: ['name'], apart: ['email'] },
  loadLeadOrigin: { list: '/lead-origins', paged: true, searchable: true, value: 'id', names: ['name'] },
  loadPipeline: { list: '/pipelines', paged: true, searchable: true, value: 'id', names: ['name'] },
  loadProject: { list: '/projects', paged: true, searchable: true, value: 'id', names: ['name'] },
  loadProjectStageByProjectId: { list: '/projects', paged: true, searchable: true, value: 'id', names: ['name'], items: 'stages', parent: { parameter: 'projectId', filter: 'project_id' } },
  loadStageByPipelineId: { list: '/pipelines', paged: true, searchable: true, value: 'id', names: ['name'], items: 'stages', parent: { parameter: 'pipelineId', filter: 'pipeline_id' } },
  loadTagByName: { list: '/tags', paged: true, searchable: true, value: 'name', names: ['name'] },
  loadUser: { list: '/users', paged: true, searchable: true, value: 'id', names: ['name'], apart: ['email'] },
};
