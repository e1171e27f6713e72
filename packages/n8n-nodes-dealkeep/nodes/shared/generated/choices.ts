// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { Choices } from '../tables.ts';

/** Dropdowns that are searched page by page, by the method that fills them. */
export const searches: Readonly<Record<string, Choices>> = {
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
  searchLead: { list: '/leads', paged: true, searchable: true, value: 'id', names: ['name', 'company.name'] },
  searchLeadOrigin: { list: '/lead-origins', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchLostReason: { list: '/lost-reasons', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchPipeline: { list: '/pipelines', paged: true, searchable: true, value: 'id', names: ['name'] },
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
  searchUser: { list: '/users', paged: true, searchable: true, value: 'id', names: ['name'] },
  searchWebhook: { list: '/webhooks', paged: false, searchable: false, value: 'id', names: ['name', 'target_url'] },
};

/** Dropdowns of several choices, which are loaded whole. */
export const loads: Readonly<Record<string, Choices>> = { loadUser: { list: '/users', paged: true, searchable: true, value: 'id', names: ['name'] } };
