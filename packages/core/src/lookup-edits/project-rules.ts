import { randomUUIDv7 } from 'node:crypto';
import type { LookupRules } from './lookup-rules.ts';

const usualStages = [
  { name: 'To do', category: 'to_do' },
  { name: 'In progress', category: 'in_progress' },
  { name: 'Done', category: 'done' },
] as const;

export const projectRules: LookupRules = {
  async afterCreating({ sql, organization }, { id }) {
    const rows = usualStages.map((stage, position) => ({
      ...{ organization_id: organization, id: randomUUIDv7(), project_id: id, position },
      ...stage,
    }));
    await sql`insert into project_stages ${sql(rows)}`;
  },

  async beforeDeleting({ sql, organization }, { id }) {
    await sql`delete from project_stages where organization_id = ${organization} and project_id = ${id}`;
  },
};
