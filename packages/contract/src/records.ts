import type * as z from 'zod';
import type * as companies from './resources/companies.ts';
import type * as contacts from './resources/contacts.ts';
import type * as leads from './resources/leads.ts';
import type * as webhooks from './resources/webhooks.ts';

// The records as TypeScript sees them.
export type Company = z.output<typeof companies.Company>;
export type CompanyItem = z.output<typeof companies.CompanyItem>;
export type Contact = z.output<typeof contacts.Contact>;
export type Lead = z.output<typeof leads.Lead>;
export type RestHook = z.output<typeof webhooks.RestHook>;
