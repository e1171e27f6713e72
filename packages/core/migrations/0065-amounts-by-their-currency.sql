-- each statement by itself
-- Programs that know 0056 live with it: they round every amount to two decimals before they write it, but the prices of new products and of services.
-- Tenant tables. Currencies have other decimals than two (Kuwait's dinar has three), so the columns of amounts keep what
-- they are given, and programs round by the currency. Without a limit of decimals PostgreSQL neither rewrites the tables nor
-- reads them. Indexes with a condition would be built anew behind the lock, so those are taken away before, and made again.
drop index concurrently if exists leads_open;
drop index concurrently if exists leads_won;
drop index concurrently if exists leads_counted;
alter table leads alter column value type numeric, alter column acquisition_cost type numeric;
create index concurrently leads_open on leads (organization_id, owner_id) include (value)
  where status = 'open' and archived_at is null;
create index concurrently leads_won on leads (organization_id, won_at) include (value, owner_id)
  where won_at is not null;
create index concurrently leads_counted on leads (organization_id, stage_id) include (value)
  where archived_at is null;

drop index concurrently if exists invoices_late;
alter table invoices alter column subtotal type numeric, alter column vat_amount type numeric,
  alter column total type numeric, alter column paid_amount type numeric;
create index concurrently invoices_late on invoices (organization_id, due_date, id)
  include (currency, total, paid_amount) where status = 'overdue';

alter table quotes alter column subtotal type numeric, alter column vat_amount type numeric,
  alter column total type numeric;
alter table booking_services alter column price type numeric;
alter table bookings alter column price type numeric;
alter table products alter column price type numeric, alter column discounted_price type numeric;
alter table orders alter column subtotal type numeric, alter column discount_total type numeric,
  alter column shipping_cost type numeric, alter column vat_total type numeric,
  alter column grand_total type numeric, alter column cod_fee type numeric;
alter table order_items alter column line_total type numeric;
