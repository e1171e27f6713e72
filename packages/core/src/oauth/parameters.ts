import { OAuthError } from './oauth-error.ts';

/** The parameters without those that have no value, which count as left out (RFC 6749, 3.1 and 3.2). */
export const withValues = (parameters: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...parameters].filter(([, value]) => value !== ''));

/**
 * The one of these names that is given more than once (RFC 6749, 3.1 and 3.2). Names that are not known are ignored,
 * however often they come: `resource` may be repeated (RFC 8707, 2).
 */
export const repeatedOf = (parameters: URLSearchParams, names: readonly string[]): string | undefined =>
  names.find((name) => parameters.getAll(name).length > 1);

/** The parameters of a request to the token or revocation endpoint. Raises invalid_request for one given twice. */
export function formParameters(given: URLSearchParams, names: readonly string[]): URLSearchParams {
  const parameters = withValues(given);
  const repeated = repeatedOf(parameters, ['client_id', 'client_secret', ...names]);
  if (repeated) throw new OAuthError('invalid_request', `The parameter ${repeated} is given more than once`);
  return parameters;
}

/** The value of a parameter. Raises invalid_request where it is missing. */
export function required(parameters: URLSearchParams, name: string): string {
  const value = parameters.get(name);
  if (!value) throw new OAuthError('invalid_request', `The parameter ${name} is missing`);
  return value;
}
