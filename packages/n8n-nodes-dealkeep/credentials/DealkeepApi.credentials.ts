import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  INodeProperties,
} from 'n8n-workflow';
import { baseUrlField } from '../nodes/shared/credentials/base-url-field.ts';
import { connectionTest } from '../nodes/shared/credentials/connection-test.ts';

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
        'Created in Dealkeep under Integrations, API keys. Leave the access at every scope, which the nodes need. For a key of another organization create another credential: a published trigger stays subscribed in the former one.',
    },
    baseUrlField,
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = connectionTest({
    UNAUTHORIZED: 'This API key is not valid: it was revoked, has expired, or was copied incompletely',
    WRONG_ENVIRONMENT:
      'This API key belongs to another environment: dk_test_ keys work only in the test environment, dk_live_ keys only outside it',
    TOKEN_OWNER_INACTIVE: 'The person behind this API key is not active',
  });
}
