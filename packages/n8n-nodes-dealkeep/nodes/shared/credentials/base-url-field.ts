import type { INodeProperties } from 'n8n-workflow';
import { basePath } from '../generated/base-path.ts';

/** Where the Dealkeep of this credential answers. */
export const baseUrlField: INodeProperties = {
  displayName: 'Base URL',
  name: 'baseUrl',
  type: 'string',
  default: '',
  required: true,
  placeholder: `e.g. https://crm.example.com${basePath}`,
  description: `The API root of your Dealkeep, with the path ${basePath}`,
};

/** An n8n expression: an address of the same Dealkeep, outside its API. */
export const besideTheApi = (path: string): string =>
  `={{$self["baseUrl"].trim().replace(/\\/+$/, "").replace(/${basePath.replaceAll('/', '\\/')}$/, "") + "${path}"}}`;
