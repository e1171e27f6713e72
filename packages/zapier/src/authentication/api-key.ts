import { apiRootFrom } from '@dealkeep/connectors';
import { basePath } from '@dealkeep/contract';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { documentation } from '../links.ts';
import { cleanError } from '../requests/clean-error.ts';
import { connectionLabel, testConnection } from './connection.ts';
import type { AuthenticationVariant } from './variant.ts';

/** The private integration for people who run Dealkeep themselves: an address and an API key. */
export const apiKey: AuthenticationVariant = {
  definition: () => ({
    type: 'custom',
    test: testConnection(() => apiKey),
    connectionLabel,
    fields: [
      {
        key: 'base_url',
        label: 'Service Address',
        type: 'string',
        required: true,
        isNoSecret: true,
        placeholder: `https://crm.example.com${basePath}`,
        helpText: `The address of your Dealkeep, such as \`https://crm.example.com\`. [Where to find it](${documentation}#address)`,
      },
      {
        key: 'api_key',
        label: 'API Key',
        type: 'password',
        required: true,
        helpText: `In Dealkeep, open Integrations, API keys, and create a key with every scope. [How to create one](${documentation}#api-key)`,
      },
    ],
  }),
  reaches: () => true,
  apiRoot: (z: ZObject, bundle: Bundle) => {
    const root = apiRootFrom(bundle.authData['base_url'] ?? '');
    if (root === undefined) {
      throw cleanError(
        new z.errors.Error(
          'The Service Address must be a web address that starts with https://, such as https://crm.example.com. Reconnect the account with the right address.',
          'INVALID_SERVICE_ADDRESS',
          400,
        ),
      );
    }
    return root;
  },
  authorization: (bundle) => `Bearer ${(bundle.authData['api_key'] ?? '').trim()}`,
  refused: (z, message) =>
    new z.errors.ExpiredAuthError(`${message} Reconnect the account with a valid API key.`),
  addressAdvice: 'Reconnect the account with the right Service Address.',
};
