import { ParameterProblem } from '../failure.ts';

/** The API root of a credential, without the trailing slash that people paste along. */
export function apiRoot(baseUrl: unknown): string {
  const text = typeof baseUrl === 'string' ? baseUrl.trim().replace(/\/+$/, '') : '';
  if (!/^https?:\/\/[^/\s]+/i.test(text)) {
    throw new ParameterProblem(
      'The base URL of the Dealkeep credential is not an address',
      'Open the credential and enter the API root of your Dealkeep, e.g. https://crm.example.com/api/v1/public',
    );
  }
  return text;
}
