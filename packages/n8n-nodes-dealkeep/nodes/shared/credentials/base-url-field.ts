import type { INodeProperties } from 'n8n-workflow';
import { basePath } from '../generated/base-path.ts';

/** Where the Dealkeep of this credential answers. */
export const baseUrlField: INodeProperties = {
  displayName: 'Base URL',
  name: 'baseUrl',
  type: 'string',
  default: '',
  required: true,
  placeholder: 'e.g. https://crm.example.com',
  description: `The address of your Dealkeep. The API root does as well, which ends with ${basePath}.`,
};

/**
 * An n8n expression: an address below the origin that the credential's base URL names, whichever form it has.
 *
 * @param credential what the credential is called where the expression is evaluated
 */
export const belowTheOrigin = (credential: '$self' | '$credentials', path: string): string =>
  `={{${credential}["baseUrl"].trim().replace(/\\/+$/, "").replace(/${basePath.replaceAll('/', '\\/')}$/, "") + "${path}"}}`;
