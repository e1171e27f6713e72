import type { RecordKind } from '../../change/record-tables/record-kind.ts';
import { countProducts, getProduct, listProducts, products } from './record.ts';
import { createProduct, updateProduct } from './write.ts';

export const product = {
  table: products,
  verbs: {
    'products.list': listProducts,
    'products.count': countProducts,
    'products.get': getProduct,
    'products.create': createProduct,
    'products.update': updateProduct,
  },
} as const satisfies RecordKind;
