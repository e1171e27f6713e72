import type {
  IAuthenticateGeneric,
  IAuthenticateRuleResponseSuccessBody,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';

const wrongAddress =
  'The base URL must be the API root of your Dealkeep, e.g. https://crm.example.com/api/v1/public';

/** What the API answers to a key that it does not take, in words for the person who enters it. */
const refusals = {
  UNAUTHORIZED: 'This API key is not valid: it was revoked, has expired, or was copied incompletely',
  WRONG_ENVIRONMENT:
    'This API key belongs to another environment: dk_test_ keys work only in the test environment, dk_live_ keys only outside it',
  PAYMENT_REQUIRED: 'The subscription of the organization is not active',
  TOKEN_OWNER_INACTIVE: 'The person behind this API key is not active',
  RATE_LIMITED: 'The organization sends too many requests at the moment. Try again in a minute',
  SERVICE_UNAVAILABLE: 'Dealkeep is not available at the moment',
  INTERNAL_ERROR: 'Dealkeep failed to answer',
};

export class DealkeepApi implements ICredentialType {
  name = 'dealkeepApi';

  displayName = 'Dealkeep API';

  icon: Icon = { light: 'file:../icons/dealkeep.svg', dark: 'file:../icons/dealkeep.dark.svg' };

  documentationUrl =
    'https://github.com/dealkeep/dealkeep/blob/main/packages/n8n-nodes-dealkeep/README.md#credentials';

  properties: INodeProperties[] = [
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        'Created in Dealkeep under Settings, API Keys. The preset for automation platforms has every scope that the nodes need.',
    },
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://crm.example.com/api/v1/public',
      description: 'The API root of your Dealkeep, with the path /api/v1/public',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  // Every status counts as an answer here, so that the rules can tell what is wrong instead of "Unauthorized".
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.baseUrl.trim().replace(/\\/+$/, "")}}',
      url: '/me',
      ignoreHttpStatusErrors: true,
    },
    rules: [
      ...Object.entries(refusals).map(
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
  };
}
