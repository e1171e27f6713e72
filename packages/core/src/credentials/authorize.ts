import type { OperationDeclaration } from '@dealkeep/contract';
import { Problem } from '../problem.ts';
import type { Credential } from './credential.ts';

/** Whether the credential may be used at all. Raises TOKEN_OWNER_INACTIVE or PAYMENT_REQUIRED. */
export function checkStanding(credential: Credential): void {
  if (!credential.user.active) throw new Problem('credential.owner_inactive');
  if (credential.organization.subscription !== 'active') throw new Problem('organization.lapsed');
}

/** Whether the credential may use the operation, in the order of decisions, section 8: owner, subscription, legacy, scope. */
export function authorize(
  credential: Credential,
  operation: Pick<OperationDeclaration, 'scope' | 'refusesLegacyKeys'>,
): void {
  checkStanding(credential);
  if (credential.legacy && operation.refusesLegacyKeys) throw new Problem('credential.legacy');
  if (operation.scope && !credential.scopes.has(operation.scope)) {
    throw new Problem('credential.scope', { scope: operation.scope });
  }
}
