import type { OperationDeclaration } from '@dealkeep/contract';
import { authorize, type Credential, Problem } from '@dealkeep/core';

/** Whether the credential may use an operation. */
export function isUsable(credential: Credential, declaration: OperationDeclaration): boolean {
  try {
    authorize(credential, declaration);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
