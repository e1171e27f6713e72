import { reads } from '../verb/verb.ts';
import { readCompany } from './company-record.ts';

export const getCompany = reads('companies.get', (context, { path }) => readCompany(context, path.id));
