import { reads } from '../verb/verb.ts';
import { readInvoice } from './invoice-record.ts';

export const getInvoice = reads('invoices.get', (context, { path }) => readInvoice(context, path.id));
