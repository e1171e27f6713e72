export { type Erased, erasedText } from '../change/record-tables/erased.ts';
export { possibleActivitySteps } from './activities/write.ts';
export { mostInCalendar } from './bookings/record.ts';
export { possibleBookingSteps } from './bookings/write.ts';
export { continueErasures } from './erasing/erase.ts';
export { type VatOfRate, vatByRate } from './invoices/vat-by-rate.ts';
export {
  markOverdueInvoices,
  possibleInvoiceSteps,
} from './invoices/write.ts';
export { possibleLeadSteps } from './leads/stages.ts';
export {
  editableLookups,
  type LookupEntry,
  type LookupUsage,
  readLookup,
  readLookups,
  readLookupUsage,
  requireShown,
} from './lookups/editable-lookups.ts';
export { countLeads, type LeadCount, type LeadPlace } from './lookups/send-leads.ts';
export { possibleOrderSteps } from './orders/steps.ts';
export { possibleQuoteSteps } from './quotes/write.ts';
export { erasedKinds, recordKinds } from './record-kinds.ts';
export { possibleTaskSteps, tellOverdueTasks } from './tasks/write.ts';
