import { appHandler } from '../../src/app-handler.ts';
import { type AuthenticationVariant, integration } from '../../src/index.ts';

/** What `zapier-platform build` writes for a variant. */
export const definitionOf = async (variant: AuthenticationVariant): Promise<unknown> =>
  (await appHandler(integration(variant))({ command: 'definition', calledFromCli: true })).results;
