// The published package holds more here: an interface for every record, body and query, printed from the contract by
// bin/build.ts, each field with its description.
export type { Company, CompanyItem, Contact, Lead, RestHook } from '@dealkeep/contract';
