import { reads } from '../verb/verb.ts';
import { namedList } from './named-list.ts';

export const listLeadOrigins = reads('lead-origins.list', (context, { query }) =>
  namedList(context, query, 'lead-origins.list', { table: 'lead_origins', archives: true }),
);
