import { type AuthenticationVariant, integration } from '../../src/index.ts';

const built = new Map<AuthenticationVariant, object>();

/** The integration of a variant, built once for all files of a process: nothing changes it. */
export function builtIntegration(variant: AuthenticationVariant): object {
  const known = built.get(variant) ?? integration(variant);
  built.set(variant, known);
  return known;
}
