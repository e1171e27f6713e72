import type { ILoadOptionsFunctions, INodeCredentialDescription, INodeProperties } from 'n8n-workflow';

// How a node proves to the API who asks: with a key, or as an application that a person has connected.

export type Authentication = 'apiKey' | 'oAuth2';

/** The credential of each kind. */
export const credentialType = (authentication: Authentication): string =>
  authentication === 'oAuth2' ? 'dealkeepOAuth2Api' : 'dealkeepApi';

/** What the parameter of a node says. It takes no expression, so it stands as it is in the workflow. */
export const authenticationOf = (context: Pick<ILoadOptionsFunctions, 'getNode'>): Authentication =>
  context.getNode().parameters['authentication'] === 'oAuth2' ? 'oAuth2' : 'apiKey';

export const nodeCredentials: INodeCredentialDescription[] = [
  {
    name: credentialType('apiKey'),
    required: true,
    displayOptions: { show: { authentication: ['apiKey'] } },
  },
  {
    name: credentialType('oAuth2'),
    required: true,
    displayOptions: { show: { authentication: ['oAuth2'] } },
  },
];

export const authenticationParameter: INodeProperties = {
  displayName: 'Authentication',
  name: 'authentication',
  type: 'options',
  noDataExpression: true,
  options: [
    { name: 'API Key', value: 'apiKey' },
    { name: 'OAuth2', value: 'oAuth2' },
  ],
  default: 'apiKey',
};
