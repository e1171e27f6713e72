import { ParameterProblem } from '../failure.ts';
import { basePath } from '../generated/base-path.ts';

/**
 * The API root of a credential, which holds it or the address before its path, with or without a slash at the end.
 */
export function apiRoot(baseUrl: unknown): string {
  const text = typeof baseUrl === 'string' ? baseUrl.trim().replace(/\/+$/, '') : '';
  if (!/^https?:\/\/[^/\s]+/i.test(text)) {
    throw new ParameterProblem(
      'The base URL of the Dealkeep credential is not an address',
      'Open the credential and enter the address of your Dealkeep, e.g. https://crm.example.com',
    );
  }
  return text.endsWith(basePath) ? text : text + basePath;
}

/** Whether something stands between the host and the path of the API, where Dealkeep itself has nothing. */
export const isBelowAPath = (root: string): boolean =>
  !/^https?:\/\/[^/]+$/i.test(root.slice(0, -basePath.length));
