import { type OperationDeclaration, openapiDocument } from '@dealkeep/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

const ajv = new Ajv2020({ strict: false, allErrors: true });
ajvFormats.default(ajv);
ajv.addSchema(openapiDocument('https://api.dealkeep.example'), 'openapi');

/** What JSON Schema says against the body of an answer, by the OpenAPI document. */
export function describedProblems(
  { path, method }: OperationDeclaration,
  status: number,
  body: unknown,
): readonly unknown[] {
  const parts = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    `${status}`,
    'content',
    'application/json',
    'schema',
  ];
  const pointer = parts
    .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const validate = ajv.getSchema(`openapi#/${pointer}`);
  if (!validate) return [`The document describes no ${status} of ${method} ${path}`];
  return validate(body) ? [] : (validate.errors ?? []);
}
