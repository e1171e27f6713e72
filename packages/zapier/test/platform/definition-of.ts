import { wholeDefinition } from '../../bin/checks/whole-definition.ts';
import type { AuthenticationVariant } from '../../src/index.ts';
import { builtIntegration } from './built-integration.ts';

/** What `zapier-platform build` writes for a variant, with every field that its forms can show. */
export function definitionOf(variant: AuthenticationVariant): Promise<unknown> {
  const known = definitions.get(variant) ?? wholeDefinition(builtIntegration(variant));
  definitions.set(variant, known);
  return known;
}

/** Made once for all files of a process. */
const definitions = new Map<AuthenticationVariant, Promise<unknown>>();
