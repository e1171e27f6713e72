import type { Fragment } from '../database/connect.ts';
import type { Changing } from '../verb/verb.ts';

/**
 * A part of the statement that changes a contact. Companies show their contacts, so they change with them: whoever asks
 * for what was updated since finds them. There is no event of it besides the contact's own (decisions, section 5).
 */
export const touchCompanies = (
  { sql, organization, now }: Changing,
  companies: readonly string[],
): Fragment => sql`
  touched as (
    update companies set updated_at = greatest(updated_at, ${now})
    where organization_id = ${organization} and id = any(${[...new Set(companies)]}::uuid[]))`;
