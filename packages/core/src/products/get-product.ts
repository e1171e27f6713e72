import { reads } from '../verb/verb.ts';
import { readProduct } from './product-record.ts';

export const getProduct = reads('products.get', (context, { path, query }) =>
  readProduct(context, path.uuid, query.include),
);
