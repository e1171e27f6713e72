import { createClient, type Dealkeep } from '@dealkeep/client';
import { type OperationDeclaration, type OperationId, operationIds, operations } from '@dealkeep/contract';
import { startDealkeep } from '@dealkeep/testing';
import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';

interface Setting {
  dealkeep: Dealkeep;
  companyId: string;
  contactId: string;
  leadId: string;
  hookId: string;
  wonStageId: string;
}

const targetUrl = 'http://127.0.0.1:9/hook';

/** Each operation once, as customers write it. One that is missing here does not compile. */
const calls: Record<OperationId, (setting: Setting) => PromiseLike<unknown>> = {
  'me.get': ({ dealkeep }) => dealkeep.me.get(),
  'companies.list': ({ dealkeep }) => dealkeep.companies.list({ q: 'tatra', sort: 'name' }),
  'companies.create': ({ dealkeep }) => dealkeep.companies.create({ name: 'Orava Tools', city: 'Námestovo' }),
  'companies.get': ({ dealkeep, companyId }) => dealkeep.companies.get(companyId),
  'companies.update': ({ dealkeep, companyId }) => dealkeep.companies.update(companyId, { note: null }),
  'contacts.list': ({ dealkeep, companyId }) => dealkeep.contacts.list({ company_id: companyId }),
  'contacts.create': ({ dealkeep, companyId }) =>
    dealkeep.contacts.create({ company_id: companyId, name: 'Eva Malá', is_primary: true }),
  'contacts.get': ({ dealkeep, contactId }) => dealkeep.contacts.get(contactId),
  'contacts.update': ({ dealkeep, contactId }) => dealkeep.contacts.update(contactId, { position: 'Buyer' }),
  'leads.list': ({ dealkeep }) => dealkeep.leads.list({ status: 'open', archived: false }),
  'leads.create': ({ dealkeep }) => dealkeep.leads.create({ name: 'x' }),
  'leads.get': ({ dealkeep, leadId }) => dealkeep.leads.get(leadId),
  'leads.update': ({ dealkeep, leadId }) => dealkeep.leads.update(leadId, { value: 18_500.5 }),
  'leads.move': ({ dealkeep, leadId, wonStageId }) => dealkeep.leads.move(leadId, { stage_id: wonStageId }),
  'leads.archive': ({ dealkeep, leadId }) => dealkeep.leads.archive(leadId),
  'users.list': ({ dealkeep }) => dealkeep.users.list(),
  'pipelines.list': ({ dealkeep }) => dealkeep.pipelines.list(),
  'lead-origins.list': ({ dealkeep }) => dealkeep.leadOrigins.list(),
  'lost-reasons.list': ({ dealkeep }) => dealkeep.lostReasons.list(),
  'tags.list': ({ dealkeep }) => dealkeep.tags.list(),
  'custom-fields.list': ({ dealkeep }) => dealkeep.customFields.list(),
  'webhooks.list': ({ dealkeep }) => dealkeep.webhooks.list(),
  'webhooks.create': ({ dealkeep }) =>
    dealkeep.webhooks.create({ target_url: targetUrl, events: ['lead.created', 'lead.won'] }),
  'webhooks.events': ({ dealkeep }) => dealkeep.webhooks.events(),
  'webhooks.sample': ({ dealkeep }) => dealkeep.webhooks.sample('lead.won'),
  'webhooks.get': ({ dealkeep, hookId }) => dealkeep.webhooks.get(hookId),
  'webhooks.delete': ({ dealkeep, hookId }) => dealkeep.webhooks.delete(hookId),
};

let baseUrl: string;
let apiKey: string;
let setting: Omit<Setting, 'dealkeep'>;

beforeAll(async () => {
  const running = await startDealkeep({ worker: false });
  baseUrl = running.baseUrl;
  apiKey = (await running.createOrganization()).key;
  const dealkeep = createClient({ baseUrl, apiKey });
  const company = await dealkeep.companies.create({ name: 'Tatra Bikes s.r.o.' });
  const contact = await dealkeep.contacts.create({ company_id: company.id, name: 'Peter Novák' });
  const lead = await dealkeep.leads.create({ company_id: company.id, value: 1200 });
  const hook = await dealkeep.webhooks.create({ target_url: targetUrl, event: 'lead.lost' });
  const [pipeline] = (await dealkeep.pipelines.list()).data;
  const won = pipeline?.stages.find(({ kind }) => kind === 'won');
  setting = {
    companyId: company.id,
    contactId: contact.id,
    leadId: lead.id,
    hookId: hook.id,
    wonStageId: won?.id ?? '',
  };
});

test.each(operationIds)('%s sends its request and returns what the contract promises', async (id) => {
  const sent: string[] = [];
  const dealkeep = createClient({
    baseUrl,
    apiKey,
    fetch: (url, init) => {
      sent.push(`${init.method} ${new URL(url).pathname}`);
      return fetch(url, init);
    },
  });

  const returned = await calls[id]({ ...setting, dealkeep });

  const operation: OperationDeclaration = operations[id];
  const path = operation.path.replaceAll(/\{\w+\}/g, '[^/]+');
  expect(sent).toEqual([expect.stringMatching(new RegExp(`^${operation.method} /api/v1/public${path}$`))]);
  expect(promiseOf(operation).safeParse(returned).error).toBeUndefined();
});

function promiseOf({ answer, shape }: OperationDeclaration): z.ZodType {
  if (!answer) return z.undefined();
  if (shape !== 'list') return answer;
  return z.object({ data: z.array(answer), next_cursor: z.string().nullable(), has_more: z.boolean() });
}
