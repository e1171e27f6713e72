import { reads } from '../verb/verb.ts';
import { namedList } from './named-list.ts';

export const listTags = reads('tags.list', (context, { query }) =>
  namedList(context, query, 'tags.list', { table: 'tags', columns: ['color'], archives: false }),
);
