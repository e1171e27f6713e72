import type { Core } from '../core.ts';
import { authenticateClient } from './authenticate-client.ts';
import type { TokenAnswer } from './issue-tokens.ts';
import { OAuthError } from './oauth-error.ts';
import { formParameters, required } from './parameters.ts';
import { redeemCode } from './redeem-code.ts';
import { refreshTokens } from './refresh-tokens.ts';

/** A request to the token or revocation endpoint: its `Authorization` header and its form. */
export interface ClientRequest {
  readonly authorization: string | undefined;
  readonly parameters: URLSearchParams;
}

const names = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope'];

/** The token endpoint (RFC 6749, 3.2). Raises OAuthError. */
export async function exchangeTokens(
  core: Core,
  { authorization, parameters: given }: ClientRequest,
): Promise<TokenAnswer> {
  const parameters = formParameters(given, names);
  const app = await authenticateClient(core, authorization, parameters);
  switch (required(parameters, 'grant_type')) {
    case 'authorization_code':
      return redeemCode(core, app, parameters);
    case 'refresh_token':
      return refreshTokens(core, app, parameters);
    default:
      throw new OAuthError('unsupported_grant_type', 'The grant_type is authorization_code or refresh_token');
  }
}
