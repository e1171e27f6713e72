-- Tenant table. Every field that the API shows as possibly null can be cleared, so the start of an activity, too.
alter table activities alter column start_at drop not null;
