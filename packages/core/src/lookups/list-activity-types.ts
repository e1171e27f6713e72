import { reads } from '../verb/verb.ts';
import { namedList } from './named-list.ts';

export const listActivityTypes = reads('activity-types.list', (context, { query }) =>
  namedList(context, query, 'activity-types.list', { table: 'activity_types', archives: true }),
);
