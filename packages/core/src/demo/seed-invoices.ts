import type { Transaction } from '../database/connect.ts';
import { demoId } from './demo-id.ts';
import { pick } from './pick.ts';

const goods = [
  'City bike',
  'Helmet',
  'Yearly service',
  'Shelf system',
  'Solar panel',
  'Office chair',
  'Licence',
];
const services = ['Delivery', 'Installation', 'Training', 'Consulting'];

/**
 * Two invoices for each company that has none, issued during the last five months: most are paid, some are not yet
 * due, a few are overdue. Numbers go on where the organization's stand.
 */
export async function seedInvoices(tx: Transaction, organization: string, now: string): Promise<number> {
  const [made] = await tx<{ count: number }[]>`
    with plan as (
      select c.id as company_id, c.n, k, (${now}::timestamptz at time zone o.time_zone)::date as today, o.time_zone,
             o.currency, (${now}::timestamptz at time zone o.time_zone)::date - (c.n * 11 + k * 67) % 150 as issued_date
      from (select id, organization_id, (row_number() over (order by created_at, id))::integer as n from companies x
            where organization_id = ${organization}
              and not exists (select from invoices i where i.organization_id = x.organization_id
                              and i.company_id = x.id)) as c
      join organizations o on o.id = c.organization_id, generate_series(1, 2) as k),
    dated as (
      select *, issued_date + 14 as due_date, extract(year from issued_date)::integer as year,
             least(${now}::timestamptz, (issued_date + time '10:00') at time zone time_zone) as created_at,
             1 + n % 5 as pieces, 49.9 + n * 37 % 900 as price, 15 + n * 7 % 80 as service_price,
             case when issued_date + 14 < today then case when (n + k) % 6 = 0 then 'overdue' else 'paid' end
                  when (n + k) % 3 = 0 then 'paid' else 'issued' end as status
      from plan),
    priced as (
      select *, pieces * price as goods_total, pieces * price + service_price as subtotal,
             round(pieces * price * 0.23, 2) + round(service_price * 0.23, 2) as vat_amount,
             case when status = 'paid'
                  then least(${now}::timestamptz, created_at + (1 + n % 12) * interval '1 day') end as paid_at,
             coalesce((select last from document_numbers where organization_id = ${organization}
                       and series = 'invoice' and document_numbers.year = dated.year), 0)
               + row_number() over (partition by year order by issued_date, n, k) as sequence
      from dated),
    numbered as (
      select *, lpad(year::text, 4, '0') as year_text,
             lpad(sequence::text, greatest(4, length(sequence::text)), '0') as sequence_text
      from priced),
    made as (
      insert into invoices (organization_id, id, number, status, currency, issued_date, due_date, paid_at, subtotal,
                            vat_amount, total, paid_amount, variable_symbol, client_id, company_id, items, created_at,
                            updated_at)
      select ${organization}, ${demoId(tx, organization, 'invoices', 'year, sequence')}, year_text || '-' || sequence_text, status, currency, issued_date,
        due_date, paid_at, subtotal, vat_amount, subtotal + vat_amount,
        case when status = 'paid' then subtotal + vat_amount else 0 end, year_text || sequence_text,
        (select id from clients k where k.organization_id = ${organization} and k.company_id = numbered.company_id),
        company_id,
        jsonb_build_array(
          jsonb_build_object('name', ${pick(tx, goods, 'n + k')}, 'quantity', pieces, 'unit', 'pcs',
                             'unit_price', price, 'vat_rate', 23, 'total', goods_total),
          jsonb_build_object('name', ${pick(tx, services, 'n')}, 'quantity', 1, 'unit', null,
                             'unit_price', service_price, 'vat_rate', 23, 'total', service_price)),
        created_at,
        case when status = 'overdue' then (due_date + 1)::timestamp at time zone time_zone
             else coalesce(paid_at, created_at) end
      from numbered returning 1),
    counted as (
      insert into document_numbers (organization_id, series, year, last)
      select ${organization}, 'invoice', year, max(sequence) from numbered group by year
      on conflict (organization_id, series, year) do update set last = excluded.last
      returning 1)
    select count(*) from made`;
  return made?.count ?? 0;
}
