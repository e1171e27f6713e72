import type { FieldProblem } from '@dealkeep/contract';
import type { Directory } from '../directory/directory.ts';

/** What a company's body refers to must exist; answers the failing fields. */
export function companyReferenceProblems(
  body: { owner_id?: string | null | undefined },
  directory: Directory,
): FieldProblem[] {
  if (!body.owner_id || directory.users.has(body.owner_id)) return [];
  return [{ path: 'owner_id', key: 'field.not_found' }];
}
