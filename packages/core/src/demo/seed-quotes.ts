import type { Transaction } from '../database/connect.ts';
import { demoId } from './demo-id.ts';

/**
 * A quote over the value of each fourth lead that has none: accepted for won leads, rejected for lost ones, else a
 * draft or sent. Numbers go on where the organization's stand.
 */
export async function seedQuotes(tx: Transaction, organization: string, now: string): Promise<number> {
  const [made] = await tx<{ count: number }[]>`
    with plan as (
      select l.*, o.currency, extract(year from l.created_at at time zone o.time_zone)::integer as year,
             case status when 'won' then 'accepted' when 'lost' then 'rejected'
                         else case when n % 8 = 0 then 'draft' else 'sent' end end as quote_status,
             least(${now}::timestamptz, l.created_at + interval '9 days') as decided_at,
             (l.created_at at time zone o.time_zone)::date + 30 as valid_until, round(l.value * 0.23, 2) as vat_amount
      from (select *, row_number() over (order by created_at, id) as n from leads x
            where organization_id = ${organization} and value is not null
              and not exists (select from quotes q where q.organization_id = x.organization_id
                              and q.lead_id = x.id)) as l
      join organizations o on o.id = l.organization_id where n % 4 = 0),
    numbered as (
      select *, coalesce((select last from document_numbers where organization_id = ${organization}
                          and series = 'quote' and document_numbers.year = plan.year), 0)
                  + row_number() over (partition by year order by created_at, id) as sequence
      from plan),
    made as (
      insert into quotes (organization_id, id, number, status, currency, subtotal, vat_amount, total, valid_until,
                          company_id, client_id, lead_id, items, accepted_at, rejected_at, created_at, updated_at)
      select ${organization}, ${demoId(tx, organization, 'quotes', 'year, sequence')},
        'Q-' || year || '-' || lpad(sequence::text, greatest(4, length(sequence::text)), '0'), quote_status, currency,
        value, vat_amount, value + vat_amount, valid_until, company_id,
        (select id from clients k where k.organization_id = ${organization} and k.company_id = numbered.company_id),
        id,
        jsonb_build_array(jsonb_build_object('name', coalesce(name, 'Consulting'), 'quantity', 1, 'unit', null,
                                             'unit_price', value, 'vat_rate', 23, 'total', value)),
        case when quote_status = 'accepted' then decided_at end,
        case when quote_status = 'rejected' then decided_at end, created_at,
        case when quote_status in ('accepted', 'rejected') then decided_at else created_at end
      from numbered returning 1),
    counted as (
      insert into document_numbers (organization_id, series, year, last)
      select ${organization}, 'quote', year, max(sequence) from numbered group by year
      on conflict (organization_id, series, year) do update set last = excluded.last
      returning 1)
    select count(*) from made`;
  return made?.count ?? 0;
}
