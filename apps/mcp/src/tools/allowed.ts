import type { EventType, OperationDeclaration } from '@dealkeep/contract';
import { requireReadable } from '@dealkeep/core/delivering';
import { Problem } from '@dealkeep/core/foundations';
import { authorize, type Credential } from '@dealkeep/core/identity';

/** Whether the credential may use an operation. */
export const isUsable = (credential: Credential, declaration: OperationDeclaration): boolean =>
  isAllowed(() => authorize(credential, declaration));

/** Whether the credential may read events of a type. */
export const isReadable = (credential: Credential, type: EventType): boolean =>
  isAllowed(() => requireReadable(credential, type));

function isAllowed(ask: () => void): boolean {
  try {
    ask();
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
