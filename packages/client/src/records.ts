// The published package holds more here: an interface for every record, body and query, printed from the contract by
// bin/build.ts, each field with its description.
export type {
  Activity,
  Booking,
  Client,
  Company,
  CompanyItem,
  Contact,
  Invoice,
  InvoiceItem,
  Lead,
  Order,
  OrderItem,
  Product,
  ProductItem,
  Quote,
  RestHook,
  Task,
} from '@dealkeep/contract';
