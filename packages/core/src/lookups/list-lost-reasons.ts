import { reads } from '../verb/verb.ts';
import { namedList } from './named-list.ts';

export const listLostReasons = reads('lost-reasons.list', (context, { query }) =>
  namedList(context, query, 'lost-reasons.list', { table: 'lost_reasons', archives: true }),
);
