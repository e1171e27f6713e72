import { Problem } from '../problem.ts';

/**
 * What a form replaces as a whole must be what the form showed. Raises CONFLICT when somebody changed the record
 * meanwhile.
 *
 * @param unchangedSince the `updated_at` that it must still have; whatever it has when absent
 */
export function requireUnchanged(
  { updated_at }: { readonly updated_at: string | null },
  unchangedSince: string | undefined,
): void {
  if (unchangedSince !== undefined && updated_at !== unchangedSince) throw new Problem('record.changed');
}
