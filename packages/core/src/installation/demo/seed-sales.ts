import { derivedId } from '../../foundations/database/new-id.ts';
import { amountIn } from '../../foundations/numbers/totals.ts';
import { invoices } from '../../records/invoices/record.ts';
import { orders } from '../../records/orders/record.ts';
import { products } from '../../records/products/record.ts';
import { quotes } from '../../records/quotes/record.ts';
import { type DemoPlace, demoId, inCurrency, insertingDemo, pick } from './made-up.ts';

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
export async function seedInvoices(place: DemoPlace): Promise<number> {
  const { tx, organization, now } = place;
  const [made] = await tx<{ count: number }[]>`
    with plan as (
      select c.id as company_id, c.n, k, (${now}::timestamptz at time zone o.time_zone)::date as today, o.time_zone,
             o.currency, (${now}::timestamptz at time zone o.time_zone)::date - (c.n * 11 + k * 67) % 150 as issued_date
      from (select id, organization_id, (row_number() over (order by created_at, id))::integer + ${place.first.companies} as n from companies x
            where organization_id = ${organization}
              and not exists (select 1 from invoices i where i.organization_id = ${organization}
                              and i.company_id = x.id)) as c
      cross join (select time_zone, currency from organizations where id = ${organization}) o, generate_series(1, 2) as k),
    dated as (
      select *, issued_date + 14 as due_date, extract(year from issued_date)::integer as year,
             least(${now}::timestamptz, (issued_date + time '10:00') at time zone time_zone) as created_at,
             1 + n % 5 as pieces, ${inCurrency(place, tx`49.9 + n * 37 % 900`)} as price, 15 + n * 7 % 80 as service_price,
             case when issued_date + 14 < today then case when (n + k) % 6 = 0 then 'overdue' else 'paid' end
                  when (n + k) % 3 = 0 then 'paid' else 'issued' end as status
      from plan),
    priced as (
      select *, pieces * price as goods_total, pieces * price + service_price as subtotal,
             ${inCurrency(place, tx`(pieces * price + service_price) * 0.23`)} as vat_amount,
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
      ${insertingDemo(place, invoices, 'n * 2 + k', {
        id: demoId(place, 'invoices', 'year, sequence'),
        number: tx`year_text || '-' || sequence_text`,
        status: tx`status`,
        currency: tx`currency`,
        issued_date: tx`issued_date`,
        due_date: tx`due_date`,
        paid_at: tx`paid_at`,
        subtotal: tx`subtotal`,
        vat_amount: tx`vat_amount`,
        total: tx`subtotal + vat_amount`,
        paid_amount: tx`case when status = 'paid' then subtotal + vat_amount else 0 end`,
        // A bank takes ten digits.
        variable_symbol: tx`case when length(sequence_text) <= 6 then year_text || sequence_text end`,
        client_id: tx`
          (select id from clients k where k.organization_id = ${organization} and k.company_id = numbered.company_id)`,
        company_id: tx`company_id`,
        items: tx`
          jsonb_build_array(
            jsonb_build_object('name', ${pick(tx, goods, 'n + k')}, 'quantity', pieces, 'unit', 'pcs',
                               'unit_price', price, 'vat_rate', 23, 'total', goods_total),
            jsonb_build_object('name', ${pick(tx, services, 'n')}, 'quantity', 1, 'unit', null,
                               'unit_price', service_price, 'vat_rate', 23, 'total', service_price))`,
        created_at: tx`created_at`,
        updated_at: tx`
          case when status = 'overdue' then (due_date + 1)::timestamp at time zone time_zone
               else coalesce(paid_at, created_at) end`,
      })}
      from numbered returning 1),
    counted as (
      insert into document_numbers (organization_id, series, year, last)
      select ${organization}, 'invoice', year, max(sequence) from numbered group by year
      on conflict (organization_id, series, year) do update set last = excluded.last
      returning 1)
    select count(*) from made`;
  return made?.count ?? 0;
}

/**
 * A quote over the value of each fourth lead that has none: accepted for won leads, rejected for lost ones, else a
 * draft or sent. Numbers go on where the organization's stand.
 */
export async function seedQuotes(place: DemoPlace): Promise<number> {
  const { tx, organization, now } = place;
  const [made] = await tx<{ count: number }[]>`
    with plan as (
      select l.*, o.currency, extract(year from l.created_at at time zone o.time_zone)::integer as year,
             case status when 'won' then 'accepted' when 'lost' then 'rejected'
                         else case when n % 8 = 0 then 'draft' else 'sent' end end as quote_status,
             least(${now}::timestamptz, l.created_at + interval '9 days') as decided_at,
             (l.created_at at time zone o.time_zone)::date + 30 as valid_until, ${inCurrency(place, tx`l.value * 0.23`)} as vat_amount
      from (select *, row_number() over (order by created_at, id) + ${place.first.leads} as n from leads x
            where organization_id = ${organization} and value is not null
              and not exists (select 1 from quotes q where q.organization_id = ${organization}
                              and q.lead_id = x.id)) as l
      cross join (select time_zone, currency from organizations where id = ${organization}) o where n % 4 = 0),
    numbered as (
      select *, coalesce((select last from document_numbers where organization_id = ${organization}
                          and series = 'quote' and document_numbers.year = plan.year), 0)
                  + row_number() over (partition by year order by created_at, id) as sequence
      from plan),
    made as (
      ${insertingDemo(place, quotes, 'n', {
        id: demoId(place, 'quotes', 'year, sequence'),
        number: tx`'Q-' || year || '-' || lpad(sequence::text, greatest(4, length(sequence::text)), '0')`,
        status: tx`quote_status`,
        currency: tx`currency`,
        subtotal: tx`value`,
        vat_amount: tx`vat_amount`,
        total: tx`value + vat_amount`,
        valid_until: tx`valid_until`,
        company_id: tx`company_id`,
        client_id: tx`
          (select id from clients k where k.organization_id = ${organization} and k.company_id = numbered.company_id)`,
        lead_id: tx`id`,
        items: tx`
          jsonb_build_array(jsonb_build_object('name', coalesce(name, 'Consulting'), 'quantity', 1, 'unit', null,
                                               'unit_price', value, 'vat_rate', 23, 'total', value))`,
        accepted_at: tx`case when quote_status = 'accepted' then decided_at end`,
        rejected_at: tx`case when quote_status = 'rejected' then decided_at end`,
        created_at: tx`created_at`,
        updated_at: tx`case when quote_status in ('accepted', 'rejected') then decided_at else created_at end`,
      })}
      from numbered returning 1),
    counted as (
      insert into document_numbers (organization_id, series, year, last)
      select ${organization}, 'quote', year, max(sequence) from numbered group by year
      on conflict (organization_id, series, year) do update set last = excluded.last
      returning 1)
    select count(*) from made`;
  return made?.count ?? 0;
}

const assortment: readonly {
  sku: string;
  category: string;
  name: string;
  description: string | null;
  price: number;
  discounted_price?: number;
  stock_on_hand: number;
}[] = [
  {
    sku: 'BIKE-CITY-28',
    category: 'bikes',
    name: 'City bike 28"',
    description: 'Steel frame.',
    price: 450,
    discounted_price: 399,
    stock_on_hand: 34,
  },
  {
    sku: 'BIKE-TREK-29',
    category: 'bikes',
    name: 'Trekking bike 29"',
    description: 'Aluminium frame.',
    price: 690,
    stock_on_hand: 21,
  },
  {
    sku: 'BIKE-KIDS-20',
    category: 'bikes',
    name: 'Children\'s bike 20"',
    description: 'Six to nine years.',
    price: 229,
    stock_on_hand: 40,
  },
  {
    sku: 'HELMET-M',
    category: 'helmets',
    name: 'Helmet M',
    description: null,
    price: 49.9,
    stock_on_hand: 85,
  },
  {
    sku: 'HELMET-L',
    category: 'helmets',
    name: 'Helmet L',
    description: null,
    price: 49.9,
    discounted_price: 44.9,
    stock_on_hand: 72,
  },
  {
    sku: 'LOCK-U',
    category: 'accessories',
    name: 'U-lock',
    description: null,
    price: 35.5,
    stock_on_hand: 60,
  },
  {
    sku: 'LIGHT-SET',
    category: 'accessories',
    name: 'Set of lights',
    description: null,
    price: 24.9,
    stock_on_hand: 120,
  },
  {
    sku: 'PUMP-FLOOR',
    category: 'accessories',
    name: 'Floor pump',
    description: null,
    price: 29,
    stock_on_hand: 44,
  },
  {
    sku: 'BAG-REAR',
    category: 'accessories',
    name: 'Rear bag 20 l',
    description: null,
    price: 64,
    stock_on_hand: 27,
  },
  {
    sku: 'BELL',
    category: 'accessories',
    name: 'Bell',
    description: null,
    price: 6.5,
    stock_on_hand: 200,
  },
];
const clientsWithOrders = 300;

/** Products, and two orders for each client that has none, from the last four months. */
export async function seedOrders(place: DemoPlace): Promise<{ products: number; orders: number }> {
  const { tx, organization: id } = place;
  const added = await seedProducts(place);
  const made = await insertOrders(place);
  await tx`
    insert into order_items (organization_id, id, order_id, position, name, sku, product_id, quantity, unit_price,
                             vat_rate, discount_pct, line_total)
    select ${id}, ${demoId(place, 'order_items', 'o.n, line')}, o.id, line, p.name, p.sku, p.id, quantity, p.unit_price, p.vat_rate, discount,
           ${inCurrency(place, tx`quantity * p.unit_price * (100 - coalesce(discount, 0)) * 0.01`)}
    from (select id, (row_number() over (order by internal_number))::integer as n from orders
          where organization_id = ${id} and id = any(${made}::uuid[])) as o
    cross join generate_series(0, 2) as line
    cross join lateral (select 1 + (n + line) % 3 as quantity, case when (n + line) % 6 = 0 then 10 end as discount) as chosen
    join (select *, coalesce(discounted_price, price) as unit_price,
                 row_number() over (order by sku) - 1 as place, count(*) over () as places
          from products where organization_id = ${id} and price is not null) as p
      on p.place = (n * 3 + line * 2) % p.places
    where line <= n % 3`;
  await tx`
    update orders o set subtotal = s.subtotal, vat_total = s.vat_total,
      grand_total = s.subtotal - o.discount_total + o.shipping_cost + s.vat_total + coalesce(o.cod_fee, 0)
    from (select order_id, sum(net) as subtotal, sum(${inCurrency(place, tx`net * vat_rate * 0.01`)}) as vat_total
          from (select order_id, vat_rate, sum(line_total) as net from order_items
                where organization_id = ${id} and order_id = any(${made}::uuid[])
                group by order_id, vat_rate) as rates
          group by order_id) as s
    where o.organization_id = ${id} and o.id = s.order_id`;
  await tx`
    update products p set stock_reserved = p.stock_reserved + s.quantity
    from (select i.product_id, sum(i.quantity) as quantity
          from order_items i join orders o on o.organization_id = i.organization_id and o.id = i.order_id
          where i.organization_id = ${id} and o.id = any(${made}::uuid[])
            and o.status in ('new', 'confirmed', 'picking', 'packed', 'ready_for_pickup')
          group by i.product_id) as s
    where p.organization_id = ${id} and p.id = s.product_id`;
  return { products: added, orders: made.length };
}

async function seedProducts(place: DemoPlace): Promise<number> {
  const { tx, organization, currency, now } = place;
  const added = await Promise.all(
    assortment.map(
      ({ sku, category, name, description, price, discounted_price, stock_on_hand }, index) => tx`
        ${insertingDemo(place, products, String(index), {
          id: derivedId(organization, 'products', sku),
          sku,
          ean: `858800000${String(index + 1).padStart(4, '0')}`,
          name,
          description,
          price: amountIn(currency, price),
          discounted_price: amountIn(currency, discounted_price ?? null),
          vat_rate: 23,
          active: true,
          category_id: derivedId(organization, 'product_categories', category),
          stock_on_hand,
          images: [
            { url: `https://cdn.example.com/${sku}.jpg`, title: name, alt_text: name, is_primary: true },
          ],
          created_at: now,
          updated_at: now,
        })}
        on conflict (organization_id, sku) do nothing`,
    ),
  );
  return added.reduce((sum, { count }) => sum + count, 0);
}

/** Orders without their items and sums; answers their ids. Numbered in the order of their making, year by year. */
async function insertOrders(place: DemoPlace): Promise<string[]> {
  const { tx, organization: id, currency, now } = place;
  const rows = await tx<{ id: string }[]>`
    with made as (
      select k.id as client_id, k.company_id, o.time_zone,
             ${now}::timestamptz - (k.total * 2 - m) * interval '110 days' / (k.total * 2) as created_at,
             (array['delivered', 'shipped', 'returned', 'delivered', 'cancelled', 'ready_for_pickup', 'packed',
                    'picking', 'confirmed', 'new'])[1 + m * 10 / (k.total * 2)] as status, m
      from (select x.id, x.company_id, (row_number() over (order by x.created_at, x.id))::integer as n,
                   least(count(*) over (), ${clientsWithOrders})::integer as total
            from clients x where x.organization_id = ${id}
              and not exists (select 1 from orders y where y.organization_id = ${id} and y.client_id = x.id)
           ) as k
      cross join (select time_zone, currency from organizations where id = ${id}) o
      cross join generate_series(0, 1) as again,
        lateral (select again * k.total + k.n - 1 as m) as number
      where k.n <= ${clientsWithOrders}),
    yearly as (
      select *, extract(year from created_at at time zone time_zone)::integer as year from made),
    numbered as (
      select y.*, coalesce(d.last, 0)
             + row_number() over (partition by y.year order by y.created_at, y.client_id) as number
      from yearly y left join document_numbers d
        on d.organization_id = ${id} and d.series = 'order' and d.year = y.year),
    counted as (
      insert into document_numbers (organization_id, series, year, last)
      select ${id}, 'order', year, max(number) from numbered group by year
      on conflict (organization_id, series, year) do update set last = excluded.last)
    ${insertingDemo(place, orders, 'm', {
      id: demoId(place, 'orders', 'm'),
      internal_number: tx`
        'O-' || year || '-' || case when number < 10000 then lpad(number::text, 4, '0') else number::text end`,
      external_id: tx`'SHOP-' || year || '-' || number`,
      external_source: 'shop',
      status: tx`n.status`,
      payment_status: tx`
        case n.status when 'returned' then 'refunded' when 'cancelled' then 'unpaid' when 'new' then 'unpaid'
                      when 'confirmed' then 'pending' else 'paid' end`,
      currency,
      subtotal: 0,
      discount_total: tx`case when m % 4 = 0 then 5 else 0 end`,
      shipping_cost: tx`case when m % 3 = 0 then 0 else ${inCurrency(place, tx`4.9`)} end`,
      vat_total: 0,
      grand_total: 0,
      cod_fee: tx`case when m % 5 = 0 then ${inCurrency(place, tx`1.5`)} end`,
      payment_method: tx`case when m % 5 = 0 then 'cash on delivery' else 'card' end`,
      shipping_method: tx`case when m % 3 = 0 then 'pickup' else 'courier' end`,
      customer_name: tx`t.name`,
      customer_email: tx`t.email`,
      customer_phone: tx`t.phone`,
      billing_address: tx`c.street || ', ' || c.postal_code || ' ' || c.city`,
      delivery_address: tx`
        '{"street":' || to_json(c.street) || ',"city":' || to_json(c.city) || ',"postal_code":'
          || to_json(c.postal_code) || ',"country":' || to_json(c.country_code) || '}'`,
      // Only who comes to the door can ring.
      notes: tx`case when m % 3 = 1 then 'Ring twice.' end`,
      client_id: tx`n.client_id`,
      company_id: tx`n.company_id`,
      created_at: tx`n.created_at`,
      updated_at: tx`least(${now}, n.created_at + interval '3 days')`,
      confirmed_at: tx`case when n.status not in ('new', 'cancelled') then n.created_at + interval '1 hour' end`,
      paid_at: tx`
        case when n.status not in ('new', 'confirmed', 'cancelled') then n.created_at + interval '2 hours' end`,
      shipped_at: tx`
        case when n.status in ('shipped', 'delivered', 'returned') then n.created_at + interval '1 day' end`,
      delivered_at: tx`case when n.status in ('delivered', 'returned') then n.created_at + interval '3 days' end`,
      cancelled_at: tx`case when n.status = 'cancelled' then n.created_at + interval '3 hours' end`,
    })}
    from numbered n
    join companies c on c.organization_id = ${id} and c.id = n.company_id
    left join contacts t on t.organization_id = ${id} and t.company_id = n.company_id and t.is_primary
    returning id`;
  return rows.map((row) => row.id);
}
