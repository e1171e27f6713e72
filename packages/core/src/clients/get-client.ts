import { reads } from '../verb/verb.ts';
import { readClient } from './client-record.ts';

export const getClient = reads('clients.get', (context, { path }) => readClient(context, path.id));
