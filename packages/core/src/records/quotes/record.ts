import { type InvoiceItem, type Quote, resources } from '@dealkeep/contract';
import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains } from '../../change/paging/search.ts';
import {
  date,
  defineRecord,
  json,
  moment,
  number,
  oneOf,
  text,
  uuid,
} from '../../change/record-tables/define-record.ts';
import { type ReadContext, reads } from '../../change/verb/verb.ts';
import { amountText } from '../../foundations/numbers/amount-text.ts';
import { reference } from '../../identity/reference-data/reference-data.ts';
import { lineRecord } from '../invoices/record.ts';

export const quotes = defineRecord({
  schema: resources.quote.schema,
  table: 'quotes',
  alias: 'q',
  columns: {
    id: uuid,
    number: text.orNull,
    status: oneOf<Quote['status']>(),
    currency: text,
    subtotal: number,
    vat_amount: number,
    total: number,
    valid_until: date.orNull,
    company_id: uuid.orNull,
    client_id: uuid.orNull,
    lead_id: uuid.orNull,
    items: json<InvoiceItem[]>(),
    accepted_at: moment.orNull,
    rejected_at: moment.orNull,
    created_at: moment,
    updated_at: moment,
  },
  searched: {
    texts: ['number'],
    identifiers: ['number'],
    subtitle: `concat_ws(' · ', c.name, ${amountText('q.total', 'q.currency')} || ' ' || q.currency)`,
  },
  joined: {
    company_name: text.orNull.from('c.name'),
    lead_name: text.orNull.from('l.name'),
  },
  joins: {
    c: {
      kind: 'company',
      table: 'companies',
      on: 'c.organization_id = q.organization_id and c.id = q.company_id',
    },
    l: { kind: 'lead', table: 'leads', on: 'l.organization_id = q.organization_id and l.id = q.lead_id' },
  },
  shown: (row, { core }) => ({
    company: reference(row.company_id, row.company_name),
    client: reference(row.client_id, row.company_name),
    lead: reference(row.lead_id, row.lead_name),
    items: row.items.map(lineRecord),
    app_url: `${core.origin}/quotes/${row.id}`,
  }),
});

export const getQuote = reads('quotes.get', (context, { path }) => quotes.get(context, path.id));

const quoteList = (context: ReadContext) => {
  const { sql } = context;
  return recordList({
    id: 'quotes.list',
    record: quotes,
    sorts: {
      valid_until: { column: 'valid_until', type: 'date', nullable: true },
      total: { column: 'total', type: 'numeric' },
    },
    filters: {
      q: (text) => contains(sql, text, ...quotes.searchedTexts),
      status: (status) => sql`q.status = ${status}`,
      client_id: (id) => sql`q.client_id = ${id}`,
      company_id: (id) => sql`q.company_id = ${id}`,
      lead_id: (id) => sql`q.lead_id = ${id}`,
    },
    items: (rows) => quotes.records(context, rows),
  });
};

export const listQuotes = reads('quotes.list', (context, { query }) =>
  listRecords(context, query, quoteList(context)),
);

export const countQuotes = reads('quotes.count', (context, { query }) =>
  countRecords(context, query, quoteList(context)),
);
