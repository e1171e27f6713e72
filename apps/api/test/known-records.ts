import {
  bareSchema,
  exampleOf,
  formsOf,
  type OperationDeclaration,
  operations,
  type Reference,
  type ReferenceName,
  referenceOfField,
  references,
} from '@dealkeep/contract';
import { seedDemo } from '@dealkeep/core/installation';
import { logAttempt, type TestDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness, plainRecord } from '@dealkeep/testing/business';
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
  'webhooks.recover': { since: new Date().toISOString() },
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
  const leastBody = (declaration: OperationDeclaration): Body => ({
    ...Object(declaration.body ? leastOf(declaration.body, known) : {}),
    ...asCreated(declaration),
    ...beyondRequired[declaration.id],
  });
  /** What an upsert needs to create a record: its match_by names a field that must have a value. */
  const asCreated = ({ kind, resource, body }: OperationDeclaration): Body => {
    if (kind !== 'upsert' || !body) return {};
    const create = declarations.find((each) => each.resource === resource && each.kind === 'create');
    const matchBy = String(Reflect.get(Object(leastOf(body, known)), 'match_by'));
    const matched = body.shape[matchBy];
    return { ...(create && leastBody(create)), ...(matched && { [matchBy]: leastOf(matched, known) }) };
  };
  const freshRecord = async (resource: string): Promise<string> => {
    if (resource === 'delivery') {
      const hook = await freshRecord('webhook');
      return `${hook} ${await logAttempt(dealkeep, { organization: organization.id, hook })}`;
    }
    const create = declarations.find((each) => each.resource === resource && each.kind === 'create');
    if (!create) return idsOf(known, resource)[0] ?? firstListed(business, resource);
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
  if (listed.length === 0) {
    // The demo data has none of a kind that is told nothing of it: one is made by what the contract says.
    const { create, body } = plainRecord(declarations.find(({ id }) => id === list)?.resource ?? '');
    listed.push(Object((await api.send<Body>('POST', create.path, { json: body })).data));
  }
  const found = items ? listed.flatMap((item): Body[] => Object.values(Object(item[items]))) : listed;
  if (found.length === 0) throw new Error(`The demo data has nothing that ${list} lists`);
  return found.map((item) => String(item[value ?? 'id']));
}

/** The id of a record that the list of a resource has, which nothing refers to by its id. */
async function firstListed({ api }: Business, resource: string): Promise<string> {
  const list = declarations.find((each) => each.resource === resource && each.kind === 'list');
  if (!list) return '';
  const [found] = (await api.send<Body>('GET', list.path)).page.data;
  if (!found) throw new Error(`The demo data has nothing that ${list.id} lists`);
  return idOf(resource, found);
}

/** The smallest value of a schema: required fields alone, filled with their examples and with known records. */
function leastOf(schema: z.core.$ZodType, known: KnownBusiness['known']): unknown {
  const { bare } = bareSchema(schema);
  const [form] = formsOf(bare) ?? [];
  if (form) return leastOf(form, known);
  if (bare instanceof z.ZodObject) {
    const required = Object.entries(bare.shape).filter(([, field]) => !bareSchema(field).optional);
    return Object.fromEntries(required.map(([name, field]) => [name, leastOf(field, known)]));
  }
  if (bare instanceof z.ZodArray) return [leastOf(bare.element, known)];
  const reference = referenceOfField(schema);
  return reference ? known[reference][0] : exampleOf(schema);
}

const isReference = (name: string): name is ReferenceName => Object.hasOwn(references, name);

/** The known ids of a resource; of deliveries those of their hooks. */
export function idsOf(known: KnownBusiness['known'], resource: string): string[] {
  if (resource === 'delivery') return known.webhook;
  return isReference(resource) ? known[resource] : [];
}

/** The id of an answered record. */
export function idOf(resource: string, record: unknown): string {
  const reference: Reference | undefined = isReference(resource) ? references[resource] : undefined;
  return String(Reflect.get(Object(record), reference?.value ?? 'id'));
}

/** The path of an operation on a record. A delivery is named by its hook and its event, with a space between. */
export function pathOn({ path }: OperationDeclaration, record: string): string {
  const [id = '', delivery = 'evt_unknown'] = record.split(' ');
  return path.replace(/\{(?:uu)?id\}/, id).replace('{delivery_id}', delivery);
}

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
