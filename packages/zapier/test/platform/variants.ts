import { appHandler } from '../../src/app-handler.ts';
import { type AuthenticationVariant, apiKey, integration, oauth2 } from '../../src/index.ts';

/** Every way to connect, by the name of `--auth`. */
export const variants: Readonly<Record<string, AuthenticationVariant>> = {
  oauth2,
  api_key: apiKey,
};

/** What `zapier-platform build` writes for a variant. */
export const definitionOf = async (variant: AuthenticationVariant): Promise<unknown> =>
  (await appHandler(integration(variant))({ command: 'definition', calledFromCli: true })).results;
