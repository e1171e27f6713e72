import { wholeDefinition } from '../../src/checks/whole-definition.ts';
import { type AuthenticationVariant, integration } from '../../src/index.ts';

/** What `zapier-platform build` writes for a variant, with every field that its forms can show. */
export const definitionOf = (variant: AuthenticationVariant): Promise<unknown> =>
  wholeDefinition(integration(variant));
