-- Control table: failed attempts are counted by account, address, known browser or client, each in a row of its own.
alter table sign_in_attempts rename column email_hash to bucket_hash;

-- Control table, of one row: how many revocations there were. Every process asks for it several times a second, so that
-- what it remembers of credentials is never older than the last of them.
create table revocations (
  only_row boolean primary key default true check (only_row),
  number bigint not null
);
insert into revocations (number) values (0);
