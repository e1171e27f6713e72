import { basePath } from '@dealkeep/contract';
import { type BenchOrganization, wire } from './business.ts';
import type { Target } from './measure.ts';
import { numberMark } from './numbered.ts';
import type { RunningProcess } from './processes.ts';
import { walk } from './walk.ts';

/** Of the leads of each organization: those that are changed; the others stay. */
const writtenLeads = 100;

export const helloRequests: readonly string[] = ['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'];

export const bareHello = (bare: RunningProcess): Target => ({ processes: [bare], requests: helloRequests });

/** Requests of all organizations in turn. */
export function requestsOf(businesses: readonly BenchOrganization[]) {
  const each = (make: (business: BenchOrganization, index: number) => string): string[] =>
    Array.from({ length: 50 }, (_, index) => businesses.map((business) => make(business, index))).flat();
  return {
    me: each(({ key }) => wire('GET', '/me', key)),
    lead: each(({ key, leads }, index) => wire('GET', `/leads/${leads[index % leads.length]}`, key)),
    list: (limit: number) => each(({ key }) => wire('GET', `/leads?limit=${limit}`, key)),
    events: each(({ key }) => wire('GET', '/events?limit=100', key)),
    create: each(({ key }, index) => wire('POST', '/leads', key, leadBody(index))),
  };
}

/** What connectors send: each write with a key of its own, and as they fill it in. */
export function writesOf(businesses: readonly BenchOrganization[]) {
  const post = (path: string, body: (business: BenchOrganization, index: number) => object): string[] =>
    Array.from({ length: 50 }, (_, index) =>
      businesses.map((business) => wire('POST', path, business.key, body(business, index), numberMark)),
    ).flat();
  const line = (sku: string) => ({
    quantity: 2,
    sku: `${sku}-${numberMark}`,
    unit_price: 19.9,
    vat_rate: 23,
  });
  const contact = { name: `Eva ${numberMark}`, email: `eva-${numberMark}@acme.example` };
  return {
    company: post('/companies', () => ({
      name: `Acme ${numberMark}`,
      email: `office-${numberMark}@acme.example`,
      registration_id: numberMark,
    })),
    contact: post('/contacts', ({ companies }, index) => ({
      ...contact,
      company_id: companies[index % companies.length],
    })),
    leadOfNewCompany: post('/leads', () => ({
      name: `Website form ${numberMark}`,
      value: 1500.5,
      company: { name: `Acme ${numberMark}` },
      contact,
    })),
    order: post('/orders', () => ({
      external_id: numberMark,
      external_source: 'shop',
      customer: { name: contact.name, email: contact.email },
      items: [line('a'), line('b'), line('c')],
    })),
    upsert: post('/companies/upsert', ({ registrationIds }, index) => ({
      match_by: 'registration_id',
      registration_id: registrationIds[index % registrationIds.length],
      note: `Called again, ${numberMark}.`,
    })),
    update: Array.from({ length: writtenLeads }, (_, index) =>
      businesses.map(({ key, leads }) =>
        wire('PATCH', `/leads/${leads[index % leads.length]}`, key, { note: `Called again, ${numberMark}.` }),
      ),
    ).flat(),
  };
}

/** Reads of leads that nobody changes, by whom has them as they are. */
export async function unchangedRequests(
  port: number,
  businesses: readonly BenchOrganization[],
): Promise<string[]> {
  const conditional = businesses.map(async ({ key, leads }) => {
    const requests = leads.slice(writtenLeads, 2 * writtenLeads).map(async (id) => {
      const response = await fetch(`http://127.0.0.1:${port}${basePath}/leads/${id}`, {
        headers: { Authorization: `Bearer ${key}`, 'Accept-Encoding': 'identity' },
      });
      const tag = response.headers.get('ETag');
      if (!tag) throw new Error(`No ETag: ${await response.text()}`);
      await response.arrayBuffer();
      return wire('GET', `/leads/${id}`, key).replace('\r\n\r\n', `\r\nIf-None-Match: ${tag}\r\n\r\n`);
    });
    return Promise.all(requests);
  });
  return (await Promise.all(conditional)).flat();
}

/** Pages of all organizations along a walk through their lists: too many to be remembered. */
export async function walkRequests(
  port: number,
  businesses: readonly BenchOrganization[],
): Promise<string[]> {
  const walks = await Promise.all(
    businesses.map(async ({ key }) => {
      const cursors = await walk({ port, key }, { limit: 50, pages: 50 });
      return cursors.map((cursor) => wire('GET', `/leads?limit=50&cursor=${cursor}`, key));
    }),
  );
  const longest = Math.max(...walks.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => walks.flatMap((pages) => pages[at] ?? [])).flat();
}

export const leadBody = (index: number) => ({
  name: `Lead ${index}`,
  value: 1500.5,
  note: 'Asked for a call back.',
});
