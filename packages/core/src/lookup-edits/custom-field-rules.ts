import type { FieldProblem } from '@dealkeep/contract';
import type { Scope } from '../verb/verb.ts';
import type { LookupRules } from './lookup-rules.ts';
import { readLookupUsage } from './read-lookups.ts';

/** Values are texts of the field's type, so the type stays while there are any. */
export const customFieldRules: LookupRules = {
  async problemsOf(reading, { before, values }) {
    const problems: FieldProblem[] = [];
    const group = values['group_id'];
    if (typeof group === 'string' && !(await isGroup(reading, group))) {
      problems.push({ path: 'group_id', key: 'field.not_found' });
    }
    if (before && before['type'] !== values['type']) {
      const [used] = await readLookupUsage(reading, 'custom-field', before.id);
      if (used) problems.push({ path: 'type', key: 'field.values_of_type', values: { count: used.count } });
    }
    return problems;
  },
};

async function isGroup(
  { sql, organization }: Pick<Scope, 'sql' | 'organization'>,
  id: string,
): Promise<boolean> {
  const rows = await sql`
    select 1 from custom_field_groups where organization_id = ${organization} and id = ${id}`;
  return rows.length > 0;
}
