import {
  type EveryOperationId,
  everyOperation,
  type FieldFacts,
  fieldsOf,
  type OperationDeclaration,
  resources,
} from '@dealkeep/contract';
import { activity } from '../src/records/kinds/activity.ts';
import { booking } from '../src/records/kinds/booking.ts';
import { client } from '../src/records/kinds/client.ts';
import { company } from '../src/records/kinds/company.ts';
import { contact } from '../src/records/kinds/contact.ts';
import { invoice } from '../src/records/kinds/invoice.ts';
import { lead } from '../src/records/kinds/lead.ts';
import { order } from '../src/records/kinds/order.ts';
import { product } from '../src/records/kinds/product.ts';
import { quote } from '../src/records/kinds/quote.ts';
import { task } from '../src/records/kinds/task.ts';
import type { Presentation } from '../src/records/presentation.ts';

const kinds: readonly Presentation[] = [
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
];
/** The kinds of records with what the console declares of each, by their addresses. */
export const eachKind = kinds.map((kind) => [kind.path, kind] as const);

export const declared = (id: string): OperationDeclaration | undefined =>
  Object.hasOwn(everyOperation, id) ? everyOperation[id as EveryOperationId] : undefined;
export const plural = ({ path }: Presentation): string => path.slice(1);
export const recordFields = ({ resource }: Presentation): readonly FieldFacts[] =>
  fieldsOf(resources[resource].schema);
export const bodyFields = (kind: Presentation, name: 'create' | 'update'): readonly FieldFacts[] => {
  const body = declared(`${plural(kind)}.${name}`)?.body;
  return body ? fieldsOf(body) : [];
};
export const namesOf = (fields: readonly FieldFacts[], prefix = ''): string[] =>
  fields.flatMap(({ name, fields: inner }) => [`${prefix}${name}`, ...namesOf(inner, `${prefix}${name}.`)]);
