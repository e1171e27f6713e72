-- each statement by itself
-- Control and tenant tables. What was found by `lower` is found by its comparison form (migration 0060). The new indexes are
-- built while the tables are read and written; a build that was interrupted left an index that does not count, so it
-- begins anew. The indexes of before go: a process of the version before finds the same without them, only slower.
-- Programs that know 0056 live with it: addresses are ASCII, of which `lower` makes the same in every locale but a Turkish one.
drop index concurrently if exists companies_compared_name;
create index concurrently companies_compared_name on companies (organization_id, comparison_form(name));
drop index concurrently if exists companies_lower_name;

drop index concurrently if exists companies_compared_email;
create index concurrently companies_compared_email on companies (organization_id, comparison_form(email))
  where email is not null;
drop index concurrently if exists companies_email;

drop index concurrently if exists contacts_compared_email;
create index concurrently contacts_compared_email on contacts (organization_id, comparison_form(email))
  where email is not null;
drop index concurrently if exists contacts_email;

drop index concurrently if exists orders_compared_email;
create index concurrently orders_compared_email on orders (organization_id, comparison_form(customer_email))
  where customer_email is not null;
drop index concurrently if exists orders_customer_email;

drop index concurrently if exists users_compared_email;
create index concurrently users_compared_email on users (comparison_form(email));
drop index concurrently if exists users_email;

-- An address is verified for one account at most. Where a Turkish locale had made two addresses of one, it stays verified for
-- the account that was made first; the others keep their address and password, and sign in as before (decision 24).
drop index concurrently if exists users_verified_form;
update users set email_verified = false
where email_verified and exists (
  select from users first
  where first.email_verified and comparison_form(first.email) = comparison_form(users.email)
    and (first.created_at, first.id) < (users.created_at, users.id));
create unique index concurrently users_verified_form on users (comparison_form(email)) where email_verified;
drop index concurrently if exists users_verified_email;
-- Processes of the version before know it by this name.
alter index users_verified_form rename to users_verified_email;

-- Of two invitations of one address the later one counts.
drop index concurrently if exists invitations_form;
delete from invitations where exists (
  select from invitations later
  where later.organization_id = invitations.organization_id
    and comparison_form(later.email) = comparison_form(invitations.email)
    and (later.created_at, later.id) > (invitations.created_at, invitations.id));
create unique index concurrently invitations_form on invitations (organization_id, comparison_form(email));
drop index concurrently if exists invitations_email;
alter index invitations_form rename to invitations_email;
