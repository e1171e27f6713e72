import { reads } from '../verb/verb.ts';
import { readLead } from './lead-record.ts';

export const getLead = reads('leads.get', (context, { path }) => readLead(context, path.id));
