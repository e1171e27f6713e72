-- Control table: failed attempts are counted by account, address, known browser or client, each in a row of its own.
alter table sign_in_attempts rename column email_hash to bucket_hash;
