import { PieceAuth, Property } from '@activepieces/pieces-framework';
import { operationOf, recordIn } from '@dealkeep/connectors';
import { basePath } from '@dealkeep/contract';
import { apiOf } from './requests/api.ts';
import type { Credentials } from './requests/connection.ts';

const documentation = 'https://github.com/dealkeep/dealkeep/blob/main/docs/activepieces.md';

/** An address and an API key, which are tried out before they are kept. */
export const dealkeepAuth = PieceAuth.CustomAuth({
  description: `In Dealkeep, open **Integrations**, **API keys**, and create a key with every scope. [How to connect](${documentation}#connect)`,
  required: true,
  props: {
    base_url: Property.ShortText({
      displayName: 'Service Address',
      description: `The address of your Dealkeep, such as https://crm.example.com, or of its API: https://crm.example.com${basePath}`,
      required: true,
    }),
    api_key: PieceAuth.SecretText({
      displayName: 'API Key',
      description: 'It begins with dk_live_ and is shown once, when it is created.',
      required: true,
    }),
  },
  validate: async ({ auth }) => {
    try {
      await meOf(auth);
      return { valid: true };
    } catch (error) {
      return { valid: false, error: error instanceof Error ? error.message : String(error) };
    }
  },
});

/** Whose connection it is. Throws what is wrong with it. */
const meOf = async (credentials: Credentials) =>
  recordIn(await apiOf(credentials).call({ operation: operationOf('me.get') }));
