import type { IAuthenticateRuleResponseSuccessBody, ICredentialTestRequest } from 'n8n-workflow';
import { basePath } from '../generated/base-path.ts';
import { userAgent } from '../generated/user-agent.ts';
import { belowTheOrigin } from './base-url-field.ts';

const wrongAddress =
  'The base URL must be the address of your Dealkeep, e.g. https://crm.example.com. Check protocol, host and path';

/** What the API answers to any credential at times, in words for the person who enters it. */
const refusals = {
  PAYMENT_REQUIRED: 'The subscription of the organization is not active',
  RATE_LIMITED: 'The organization sends too many requests at the moment. Try again in a minute',
  SERVICE_UNAVAILABLE: 'Dealkeep is not available at the moment',
  INTERNAL_ERROR: 'Dealkeep failed to answer',
};

/**
 * Asks the API whose credential this is.
 *
 * Every status counts as an answer here, so that the rules can tell what is wrong instead of "Unauthorized".
 *
 * @param ownRefusals by error code: what the API refuses in this kind of credential only
 */
export const connectionTest = (ownRefusals: Readonly<Record<string, string>>): ICredentialTestRequest => ({
  request: {
    baseURL: belowTheOrigin('$credentials', basePath),
    url: '/me',
    headers: { 'User-Agent': userAgent },
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true,
  },
  rules: [
    ...Object.entries({ ...ownRefusals, ...refusals }).map(
      ([value, message]): IAuthenticateRuleResponseSuccessBody => ({
        type: 'responseSuccessBody',
        properties: { key: 'error.code', value, message },
      }),
    ),
    // A web page at this address answers too, but without the API's version.
    {
      type: 'responseSuccessBody',
      properties: { key: 'data.api_version', value: undefined, message: wrongAddress },
    },
  ],
});
