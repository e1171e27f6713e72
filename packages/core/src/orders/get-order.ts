import { reads } from '../verb/verb.ts';
import { readOrder } from './order-record.ts';

export const getOrder = reads('orders.get', (context, { path }) => readOrder(context, path.uuid));
