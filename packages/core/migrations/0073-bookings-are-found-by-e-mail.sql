-- each statement by itself
-- Control and tenant tables. Bookings are filtered, and erased, by their customer's e-mail in its form to compare. The index is
-- built while bookings are read and written; a build that was interrupted left an index that does not count, so it begins anew.
drop index concurrently if exists bookings_compared_email;
create index concurrently bookings_compared_email on bookings (organization_id, comparison_form(customer_email))
  where customer_email is not null;
