-- Control table. graphile-worker notes at each job which pool of workers has it, and nothing of the pool. With the pool
-- at its worker, the others know whose jobs are nobody's any more.
alter table workers add column job_pool text;
