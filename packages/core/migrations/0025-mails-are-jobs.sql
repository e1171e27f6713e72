-- Tenant table mails, which goes: a mail is a job of graphile-worker now. Those that wait become such jobs, as old as
-- they are, and due when they were. A new database has no mails and, until its migrations have run, no graphile-worker.
lock table mails in share row exclusive mode;
do $$
declare
  mail record;
  job bigint;
begin
  for mail in
    select m.*, 'mail/' || m.organization_id || '/' || case m.kind
             when 'invitation' then 'invitation/' || m.invitation_id
             else m.kind || '/' || (m.facts->>'webhook_id') || '/' || m.user_id end as key
    from mails m where m.due_at is not null order by m.created_at
  loop
    select id into job from graphile_worker.add_job(
      'send_mail',
      json_strip_nulls(json_build_object(
        'kind', mail.kind, 'id', mail.id, 'organization_id', mail.organization_id, 'user_id', mail.user_id,
        'invitation_id', mail.invitation_id)),
      queue_name => 'mails', run_at => greatest(mail.due_at, now()), max_attempts => 22, job_key => mail.key,
      priority => 10, flags => '{mail}');
    update graphile_worker._private_jobs
    set created_at = mail.created_at,
        payload = case mail.kind when 'invitation' then payload
                  else (payload::jsonb || jsonb_build_object('facts', mail.facts))::json end
    where id = job;
  end loop;
end $$;
drop table mails;
