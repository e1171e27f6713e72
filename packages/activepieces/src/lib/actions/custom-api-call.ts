import { createCustomApiCallAction } from '@activepieces/pieces-common';
import { dealkeepAuth } from '../auth.ts';
import { apiRootOf, authorizationOf } from '../requests/connection.ts';

/** What no other action does, in the platform's own form. */
export const customApiCall = createCustomApiCallAction({
  auth: dealkeepAuth,
  baseUrl: (auth) => (auth ? apiRootOf(auth.props) : ''),
  authMapping: async (auth) => ({ Authorization: authorizationOf(auth.props) }),
});
