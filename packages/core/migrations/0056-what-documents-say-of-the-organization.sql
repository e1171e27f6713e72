-- A control table, of few rows. What invoices and quotes print of the organization, besides its name and its country.
alter table organizations
  add column street text,
  add column city text,
  add column postal_code text,
  add column registration_id text,
  add column tax_id text,
  add column vat_id text,
  add column bank_account text;
