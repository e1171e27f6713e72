import { notFound } from '../problem.ts';
import { reads } from '../verb/verb.ts';
import { leadRecord } from './lead-record.ts';

export const getLead = reads('leads.get', async ({ core, sql, organization }, { path }) => {
  const row = await core.leadReads.ask({ organization, id: path.id });
  if (!row) throw notFound();
  return leadRecord(row, await core.directories.at(sql, organization, row.directory_version), core);
});
