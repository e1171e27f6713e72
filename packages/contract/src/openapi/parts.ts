import { errorStatus } from '../errors.ts';
import { apiVersion, limits } from '../limits.ts';

const integerHeader = (description: string, example: number) => ({
  description,
  schema: { type: 'integer', examples: [example] },
});

const textHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
});

export const responseHeaders = {
  'X-Service-Api-Version': textHeader('Dated version of the contract.', apiVersion),
  'X-RateLimit-Limit': integerHeader('Ceiling of the tightest bucket.', limits.requestsPerMinute),
  'X-RateLimit-Remaining': integerHeader('Requests left in the window.', 119),
  'X-RateLimit-Reset': integerHeader('Seconds until the window resets.', 42),
  'X-Request-Id': textHeader(
    'Names this request in the log of the service.',
    '7f1c0b52-9d0e-4b53-8e07-5a0c7f2f6a11',
  ),
  'Idempotent-Replayed': textHeader('true when this is the stored answer to an earlier request.', 'true'),
  'Cache-Control': textHeader('no-store: the answer holds a secret.', 'no-store'),
  'WWW-Authenticate': textHeader(
    'How to authenticate; on 403 only where a scope is missing.',
    'Bearer error="invalid_token"',
  ),
  'Retry-After': integerHeader('Seconds to wait before trying again.', 12),
};

export const errorSchema = {
  type: 'object',
  title: 'Error',
  'x-sk-title': 'Chyba',
  properties: {
    error: {
      type: 'object',
      properties: {
        code: { type: 'string', enum: Object.keys(errorStatus), description: 'Stable; branch on it.' },
        message: { type: 'string', description: 'For people, in the language of Accept-Language.' },
        detail: {
          description:
            'More about the error: {parameter} of a bad query parameter, {fields: [{path, code, message}]} of a body.',
        },
      },
      required: ['code', 'message'],
    },
  },
  required: ['error'],
  examples: [{ error: { code: 'NOT_FOUND', message: 'There is no such record in this organization.' } }],
};
