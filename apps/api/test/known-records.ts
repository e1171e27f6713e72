import {
  bareSchema,
  descriptionOf,
  exampleOf,
  type OperationDeclaration,
  operations,
  type Reference,
  type ReferenceName,
  references,
} from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core';
import type { TestDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import * as z from 'zod';

type Body = Record<string, unknown>;

/** A business with demo data, in which the contract's operations can be tried one by one without naming any. */
export interface KnownBusiness extends Business {
  /** Ids of some records of everything that can be referred to. */
  known: Record<ReferenceName, string[]>;
  /** The least that an operation takes. */
  leastBody(declaration: OperationDeclaration): Body;
  /** The id of a new record, made by the API; a known one of what the API does not make. */
  freshRecord(resource: string): Promise<string>;
}

const declarations = Object.values<OperationDeclaration>(operations);

/** What an operation needs although no single field of it is required. */
const beyondRequired: Readonly<Record<string, Body>> = {
  'orders.create': { items: [{ quantity: 1, sku: 'unheard-of', unit_price: 1 }] },
  'webhooks.create': { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' },
};

export async function openKnownBusiness(dealkeep: TestDealkeep): Promise<KnownBusiness> {
  const business = await openBusiness(dealkeep);
  const { api, organization } = business;
  await dealkeep.sql`update organizations set max_webhooks = 10000 where id = ${organization.id}`;
  await seedDemo(dealkeep.core, organization.slug, 'small');
  await api.post('/webhooks', { target_url: 'http://127.0.0.1:4567/', event: 'lead.created' });
  const known = Object.fromEntries(
    await Promise.all(
      Object.entries<Reference>(references).map(async ([name, reference]) => [
        name,
        await candidates(business, reference),
      ]),
    ),
  ) as Record<ReferenceName, string[]>;
  const leastBody = ({ id, body }: OperationDeclaration): Body => ({
    ...Object(body ? leastOf(body, known) : {}),
    ...beyondRequired[id],
  });
  const freshRecord = async (resource: string): Promise<string> => {
    const create = declarations.find((each) => each.resource === resource && each.kind === 'create');
    if (!create) return idsOf(known, resource)[0] ?? '';
    const body = leastBody(create);
    // One client for a company.
    if (resource === 'client') body['company_id'] = await freshRecord('company');
    const { data } = await api.send('POST', create.path, { json: body });
    return idOf(resource, data);
  };
  return { ...business, known, leastBody, freshRecord };
}

/** Ids of the candidates of a reference, found as the contract says. */
async function candidates({ api }: Business, { list, items, value }: Reference): Promise<string[]> {
  const path = declarations.find(({ id }) => id === list)?.path ?? '';
  // `GET /webhooks` takes no parameters.
  const { page } = await api.send<Body>('GET', path === '/webhooks' ? path : `${path}?limit=10`);
  // New leads are in the default pipeline.
  const listed = page.data.toSorted((a, b) => Number(b['is_default'] ?? 0) - Number(a['is_default'] ?? 0));
  const found = items ? listed.flatMap((item): Body[] => Object.values(Object(item[items]))) : listed;
  if (found.length === 0) throw new Error(`The demo data has nothing that ${list} lists`);
  return found.map((item) => String(item[value ?? 'id']));
}

/** The smallest value of a schema: required fields alone, filled with their examples and with known records. */
function leastOf(schema: z.core.$ZodType, known: KnownBusiness['known']): unknown {
  const { bare } = bareSchema(schema);
  if (bare instanceof z.ZodObject) {
    const required = Object.entries(bare.shape).filter(([, field]) => !bareSchema(field).optional);
    return Object.fromEntries(required.map(([name, field]) => [name, leastOf(field, known)]));
  }
  if (bare instanceof z.ZodArray) return [leastOf(bare.element, known)];
  const reference = descriptionOf(schema)?.reference;
  return reference ? known[reference][0] : exampleOf(schema);
}

const isReference = (name: string): name is ReferenceName => Object.hasOwn(references, name);

/** The known ids of a resource. */
export function idsOf(known: KnownBusiness['known'], resource: string): string[] {
  return isReference(resource) ? known[resource] : [];
}

/** The id of an answered record. */
export function idOf(resource: string, record: unknown): string {
  const reference: Reference | undefined = isReference(resource) ? references[resource] : undefined;
  return String(Reflect.get(Object(record), reference?.value ?? 'id'));
}

/** The path of an operation on a record. */
export const pathOn = ({ path }: OperationDeclaration, record: string): string =>
  path.replace(/\{(?:uu)?id\}/, record);

/** A copy of a body with the value at the path, whose objects are made where they are missing. */
export function withValue(body: object, path: readonly (string | number)[], value: unknown): Body {
  const copy: Body = structuredClone({ ...body });
  let inner: object = copy;
  for (const part of path.slice(0, -1)) {
    if (!Reflect.has(inner, part)) Reflect.set(inner, part, {});
    inner = Reflect.get(inner, part);
  }
  Reflect.set(inner, path.at(-1) ?? '', value);
  return copy;
}
