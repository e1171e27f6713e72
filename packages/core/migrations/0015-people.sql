-- Control tables: when people last signed in, and with which browser.
alter table users add column last_signed_in_at timestamptz(3);
alter table console_sessions add column user_agent text;
