import { activity } from './kinds/activity.ts';
import { booking } from './kinds/booking.ts';
import { client } from './kinds/client.ts';
import { company } from './kinds/company.ts';
import { contact } from './kinds/contact.ts';
import { invoice } from './kinds/invoice.ts';
import { lead } from './kinds/lead.ts';
import { order } from './kinds/order.ts';
import { product } from './kinds/product.ts';
import { quote } from './kinds/quote.ts';
import { task } from './kinds/task.ts';
import { operationKind } from './operation-kind.ts';
import type { RecordKind } from './record-kind.ts';

/** Every kind of records, in the order of search results. */
export const recordKinds: readonly RecordKind[] = [
  company,
  contact,
  client,
  lead,
  activity,
  task,
  invoice,
  quote,
  booking,
  order,
  product,
].map(operationKind);

/** The kind of a resource; undefined where it has no pages of its own. */
export const kindOf = (resource: string): RecordKind | undefined =>
  recordKinds.find((kind) => kind.resource === resource);
