import { ApiFailure } from '../failure.ts';
import { valueAt } from '../record.ts';

/** What n8n says when it has no token to send, or gets no new one in exchange for the refresh token. */
const withoutToken = [
  'needs to be reconnected',
  'Unable to sign without access token',
  'no refresh token is available',
  'OAuth credentials not connected',
];

/**
 * The failure of a connection through OAuth. n8n renews the token when the API answers 401, and throws when that
 * does not help; undefined when what it threw has another cause.
 */
export function connectionFailure(error: unknown): ApiFailure | undefined {
  const message = String(valueAt(error, 'message'));
  if (isRefusedClient(error)) {
    return new ApiFailure({
      message: 'Dealkeep does not accept the client ID or the client secret of this credential',
      description:
        'Copy both again from the registration of the application, then connect the account again.',
      status: 401,
    });
  }
  if (String(valueAt(error, 'httpCode')) !== '401' && !withoutToken.some((each) => message.includes(each))) {
    return undefined;
  }
  return new ApiFailure({
    message: 'The connection to Dealkeep has ended, or was not made yet',
    description: 'Open the credential and connect the account again.',
    status: 401,
    code: 'UNAUTHORIZED',
  });
}

/** RFC 6749, 5.2: the token endpoint knows no such client, or not with this secret. */
const isRefusedClient = (error: unknown): boolean =>
  ['body.error', 'cause.body.error', 'errorResponse.body.error'].some(
    (path) => valueAt(error, path) === 'invalid_client',
  );
