// Generated from @dealkeep/contract by `npm run generate`. Change the contract or scripts/, not this file.

import type { EntityFilters, EventTable } from '../tables.ts';

/** The event catalog. */
export const events: Readonly<Record<string, EventTable>> = {
  'lead.created': { entity: 'lead', updated: false, catchUp: { since: 'created_after', list: '/leads', id: 'id' } },
  'lead.updated': { entity: 'lead', updated: true, catchUp: { since: 'updated_since', list: '/leads', id: 'id' } },
  'lead.archived': { entity: 'lead', updated: false },
  'lead.stage_changed': { entity: 'lead', updated: false },
  'lead.won': { entity: 'lead', updated: false },
  'lead.lost': { entity: 'lead', updated: false },
  'company.created': {
    entity: 'company',
    updated: false,
    catchUp: { since: 'created_after', list: '/companies', get: '/companies/{id}', id: 'id' },
  },
  'company.updated': {
    entity: 'company',
    updated: true,
    catchUp: { since: 'updated_since', list: '/companies', get: '/companies/{id}', id: 'id' },
  },
  'contact.created': {
    entity: 'contact',
    updated: false,
    catchUp: { since: 'created_after', list: '/contacts', id: 'id' },
  },
  'contact.updated': {
    entity: 'contact',
    updated: true,
    catchUp: { since: 'updated_since', list: '/contacts', id: 'id' },
  },
  'client.created': {
    entity: 'client',
    updated: false,
    catchUp: { since: 'created_after', list: '/clients', id: 'id' },
  },
  'client.updated': {
    entity: 'client',
    updated: true,
    catchUp: { since: 'updated_since', list: '/clients', id: 'id' },
  },
  'activity.created': {
    entity: 'activity',
    updated: false,
    catchUp: { since: 'created_after', list: '/activities', id: 'id' },
  },
  'activity.completed': { entity: 'activity', updated: false },
  'activity.cancelled': { entity: 'activity', updated: false },
  'task.created': { entity: 'task', updated: false, catchUp: { since: 'created_after', list: '/tasks', id: 'id' } },
  'task.moved': { entity: 'task', updated: false },
  'task.completed': { entity: 'task', updated: false },
  'task.overdue': { entity: 'task', updated: false },
  'invoice.created': {
    entity: 'invoice',
    updated: false,
    catchUp: { since: 'created_after', list: '/invoices', id: 'id' },
  },
  'invoice.paid': { entity: 'invoice', updated: false },
  'invoice.overdue': { entity: 'invoice', updated: false },
  'quote.accepted': { entity: 'quote', updated: false },
  'quote.rejected': { entity: 'quote', updated: false },
  'booking.created': {
    entity: 'booking',
    updated: false,
    catchUp: { since: 'created_after', list: '/bookings', id: 'id' },
  },
  'booking.confirmed': { entity: 'booking', updated: false },
  'booking.cancelled': { entity: 'booking', updated: false },
  'booking.completed': { entity: 'booking', updated: false },
  'booking.no_show': { entity: 'booking', updated: false },
  'product.created': {
    entity: 'product',
    updated: false,
    catchUp: { since: 'created_after', list: '/products', get: '/products/{uuid}', id: 'uuid' },
  },
  'product.updated': {
    entity: 'product',
    updated: true,
    catchUp: { since: 'updated_since', list: '/products', get: '/products/{uuid}', id: 'uuid' },
  },
  'order.created': {
    entity: 'order',
    updated: false,
    catchUp: { since: 'created_after', list: '/orders', id: 'uuid' },
  },
  'order.confirmed': { entity: 'order', updated: false },
  'order.paid': { entity: 'order', updated: false },
  'order.picking': { entity: 'order', updated: false },
  'order.packed': { entity: 'order', updated: false },
  'order.ready_for_pickup': { entity: 'order', updated: false },
  'order.shipped': { entity: 'order', updated: false },
  'order.delivered': { entity: 'order', updated: false },
  'order.cancelled': { entity: 'order', updated: false },
  'order.returned': { entity: 'order', updated: false },
  'order.payment_pending': { entity: 'order', updated: false },
  'order.payment_paid': { entity: 'order', updated: false },
  'order.payment_refunded': { entity: 'order', updated: false },
  'order.payment_failed': { entity: 'order', updated: false },
};

/** Which parameters of the trigger filter the records of a resource. */
export const entityFilters: Readonly<Record<string, EntityFilters>> = {
  lead: {
    filters: 'leadFilters',
    ids: { pipelineId: 'pipeline.id', stageId: 'stage.id' },
    watch: 'leadFieldsToWatch',
  },
  company: { ids: {}, watch: 'companyFieldsToWatch' },
  contact: { ids: {}, watch: 'contactFieldsToWatch' },
  client: { ids: {}, watch: 'clientFieldsToWatch' },
  activity: { ids: {} },
  task: { ids: {} },
  invoice: { ids: {} },
  quote: { ids: {} },
  booking: { ids: {} },
  product: { ids: {}, watch: 'productFieldsToWatch' },
  order: { ids: {} },
};
