import { countRecords, listRecords, recordList } from '../../change/paging/list-page.ts';
import { contains } from '../../change/paging/search.ts';
import { monthOf, sumRecords } from '../../change/paging/sum-records.ts';
import { type InputOf, type ReadContext, type ResultOf, reads } from '../../change/verb/verb.ts';
import type { Rows } from '../../foundations/database/connect.ts';
import { leads } from './record.ts';

export const getLead = reads('leads.get', (context, { path }) => leads.get(context, path.id));

const leadList = (context: ReadContext) => {
  const { sql, organization } = context;
  return recordList({
    id: 'leads.list',
    record: leads,
    sorts: {
      name: { column: 'name', type: 'text', nullable: true },
      value: { column: 'value', type: 'numeric', nullable: true },
      expected_close_date: { column: 'expected_close_date', type: 'date', nullable: true },
    },
    filters: {
      q: (text) => contains(sql, text, ...leads.searchedTexts),
      status: (status) => sql`l.status = ${status}`,
      pipeline_id: (id) => sql`l.pipeline_id = ${id}`,
      stage_id: (id) => sql`l.stage_id = ${id}`,
      company_id: (id) => sql`l.company_id = ${id}`,
      contact_id: (id) => sql`l.contact_id = ${id}`,
      owner_id: (id) => sql`l.owner_id = ${id}`,
      origin_id: (id) => sql`l.origin_id = ${id}`,
      tag: (name) => sql`l.tag_ids && (
        select array_agg(id) from tags where organization_id = ${organization} and name = ${name})`,
      expected_close_after: (date) => sql`l.expected_close_date > ${date}::date`,
      expected_close_before: (date) => sql`l.expected_close_date < ${date}::date`,
      archived: (archived) => (archived ? sql`l.archived_at is not null` : sql`l.archived_at is null`),
      won_after: (moment) => sql`l.won_at > ${moment}::timestamptz`,
      won_before: (moment) => sql`l.won_at < ${moment}::timestamptz`,
    },
    items: (rows) => leads.records(context, rows),
  });
};

export const listLeads = reads('leads.list', (context, { query }) =>
  listRecords(context, query, leadList(context)),
);

export const countLeads = reads('leads.count', (context, { query }) =>
  countRecords(context, query, leadList(context)),
);

export const sumLeads = reads('leads.sum', async (context, { query: { by, ...query } }) => {
  const { sql } = context;
  const referenceData = await context.referenceData();
  return sumRecords(context, { by, query }, leadList(context), {
    amount: sql`l.value`,
    groupings: {
      status: { of: sql`l.status` },
      stage: { of: sql`l.stage_id`, named: referenceData.stages },
      pipeline: { of: sql`l.pipeline_id`, named: referenceData.pipelines },
      owner: { of: sql`l.owner_id`, named: referenceData.users },
      origin: { of: sql`l.origin_id`, named: referenceData.origins },
      company: { of: sql`l.company_id`, named: 'companies' },
      created_month: { of: monthOf.moment(sql, 'l.created_at', referenceData) },
      won_month: { of: monthOf.moment(sql, 'l.won_at', referenceData) },
      expected_close_month: { of: monthOf.date(sql, 'l.expected_close_date') },
    },
  });
});

/**
 * How many leads each stage of a pipeline has and what they are worth; a stage without leads is not among them. Its
 * stages stand in the condition instead of the pipeline, so that all leads are counted from one index
 * (`leads_counted`).
 */
export const stageTotals = (
  { sql, organization }: Pick<ReadContext, 'sql' | 'organization'>,
  query: InputOf<'leads.totals'>['query'],
): Rows<ResultOf<'leads.totals'>[number]> => {
  const owned = query.owner_id === undefined ? sql`true` : sql`l.owner_id = ${query.owner_id}`;
  const found = query.q ? contains(sql, query.q, ...leads.searchedTexts) : sql`true`;
  return sql`
    select l.stage_id, count(*)::integer as leads, coalesce(sum(l.value), 0)::float8 as value
    from leads l
    where l.organization_id = ${organization} and l.archived_at is null and l.stage_id = any(array(
        select id from stages where organization_id = ${organization} and pipeline_id = ${query.pipeline_id}))
      and ${owned} and ${found}
    group by l.stage_id`;
};

export const totalLeads = reads('leads.totals', (context, { query }) => stageTotals(context, query));
