import type { ICredentialTestRequest, ICredentialType, Icon, INodeProperties } from 'n8n-workflow';
import { baseUrlField, belowTheOrigin } from '../nodes/shared/credentials/base-url-field.ts';
import { connectionTest } from '../nodes/shared/credentials/connection-test.ts';
import { consentPath, oauthScopes, tokenPath } from '../nodes/shared/generated/oauth.ts';

const hidden = (displayName: string, name: string, value: string): INodeProperties => ({
  displayName,
  name,
  type: 'hidden',
  default: value,
});

export class DealkeepOAuth2Api implements ICredentialType {
  name = 'dealkeepOAuth2Api';

  extends = ['oAuth2Api'];

  displayName = 'Dealkeep OAuth2 API';

  icon: Icon = { light: 'file:../icons/dealkeep.svg', dark: 'file:../icons/dealkeep.dark.svg' };

  documentationUrl =
    'https://github.com/dealkeep/dealkeep/blob/main/packages/n8n-nodes-dealkeep/README.md#credentials';

  // With PKCE n8n still sends the client secret, which every application of Dealkeep has.
  properties: INodeProperties[] = [
    baseUrlField,
    hidden('Grant Type', 'grantType', 'pkce'),
    hidden('Authorization URL', 'authUrl', belowTheOrigin('$self', consentPath)),
    hidden('Access Token URL', 'accessTokenUrl', belowTheOrigin('$self', tokenPath)),
    {
      displayName: 'Custom Scopes',
      name: 'customScopes',
      type: 'boolean',
      default: false,
      description:
        'Whether to ask for chosen scopes only. Otherwise everything is asked for that the application was registered for.',
    },
    {
      displayName: 'Enabled Scopes',
      name: 'enabledScopes',
      type: 'string',
      displayOptions: { show: { customScopes: [true] } },
      default: oauthScopes.join(' '),
      description:
        'Separated by spaces. Each operation needs the scope of its resource, the trigger needs webhooks:manage and the read scope of its events.',
    },
    // Asked for none, Dealkeep grants all that the application may have.
    hidden('Scope', 'scope', '={{$self["customScopes"] ? $self["enabledScopes"] : ""}}'),
    hidden('Auth URI Query Parameters', 'authQueryParameters', ''),
    hidden('Authentication', 'authentication', 'body'),
  ];

  test: ICredentialTestRequest = connectionTest({
    UNAUTHORIZED: 'This connection has ended. Connect the account again',
    TOKEN_OWNER_INACTIVE: 'The person who connected the account is not active',
  });
}
