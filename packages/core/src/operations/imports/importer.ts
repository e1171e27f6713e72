import { everyOperation } from '@dealkeep/contract';
import type { Services } from '../../change/services.ts';
import { Problem } from '../../foundations/problem.ts';
import { authorize } from '../../identity/credentials/authorize.ts';
import type { Credential } from '../../identity/credentials/credential.ts';
import { type MemberRow, memberColumns, memberOf } from '../../identity/credentials/member.ts';
import { credentialOf } from '../run-as-user.ts';
import type { ImportPlace } from './import-jobs.ts';
import type { Import } from './imports.ts';
import { permittedMatches, requireImporting } from './imports.ts';
import { importKinds } from './targets.ts';

/** Whoever began an import, as they are now. */
export interface Importer {
  readonly actor: Credential;
}

/**
 * Finds who an import works for. Raises FORBIDDEN for somebody who left, and what a role or a subscription that has
 * changed meanwhile no longer permits.
 */
export async function findImporter(
  core: Services,
  { organization }: ImportPlace,
  { user_id, kind, match_by }: Import,
): Promise<Importer> {
  const [row] = await core.sql<MemberRow[]>`
    select ${memberColumns(core.sql)}
    from memberships m
    join users u on u.id = m.person_id
    join organizations o on o.id = m.organization_id
    left join roles r on r.organization_id = m.organization_id and r.id = m.role_id
    where m.organization_id = ${organization} and m.id = ${user_id}`;
  if (!row?.active) throw new Problem('import.person_left');
  const importing = memberOf(row);
  requireImporting(importing, kind);
  if (match_by !== null && !permittedMatches(importing, kind).includes(match_by)) {
    throw new Problem('role.limited', { permission: 'companies.edit' });
  }
  const actor: Credential = { ...credentialOf(core, importing), importing: true };
  authorize(actor, everyOperation[importKinds[kind].create]);
  return { actor };
}
