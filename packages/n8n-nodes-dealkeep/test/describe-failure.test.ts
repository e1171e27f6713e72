import { errorStatus, message } from '@dealkeep/contract';
import { describe, expect, test } from 'vitest';
import { operations } from '../nodes/shared/generated/operations.ts';
import { labelledFields } from '../nodes/shared/operations/run-operation.ts';
import { apiRoot, isBelowAPath } from '../nodes/shared/transport/base-url.ts';

import { describeFailure, labelOf, unreachable } from '../nodes/shared/transport/describe-failure.ts';

const create = operations['lead']?.['create'];
const fields = create ? labelledFields(create) : [];

describe('an error of the API (rule connectors 11)', () => {
  test('names the records that create or update cannot decide between (rule n8n 5)', () => {
    const body = {
      error: { code: 'CONFLICT', message: 'Several match.', detail: { ids: ['first', 'second'] } },
    };
    expect(describeFailure(409, body, 'apiKey', fields).description).toMatch(
      /^These records match: first, second\. Merge them/,
    );
  });

  test('names a filter of a hook as its form does (rule n8n 31)', () => {
    const hook = operations['webhook']?.['create'];
    const of = (path: string) => labelOf(path, hook ? labelledFields(hook) : []);
    expect(of('filters.pipeline_id')).toBe('Filters → Pipeline');
    expect(of('filters.payment_status[0]')).toBe('Filters → Payment Status 1');
    expect(of('filters.status')).toBe('Filters → Status');
    expect(of('filters.stage_id')).toBe('Filters → Stage');
    expect(of('changed_fields[1]')).toBe('Fields to Watch 2');
  });

  test("names the failing fields by their labels, in the API's words", () => {
    const tooLong = message('field.too_long', 'en', { max: 255 });
    const body = {
      error: {
        code: 'VALIDATION_ERROR',
        message: 'Some fields are not valid.',
        detail: {
          fields: [
            { path: 'name', code: 'too_long', message: tooLong },
            { path: 'company.email', code: 'invalid_email', message: 'This is not an e-mail address.' },
          ],
        },
      },
    };
    expect(describeFailure(422, body, 'apiKey', fields).message).toBe(
      `Name: ${tooLong} Company to Match or Create → Email: This is not an e-mail address.`,
    );
  });

  test('names the failing parameter of a list', () => {
    const body = {
      error: { code: 'INVALID_PARAMETER', message: 'Not valid.', detail: { parameter: 'status' } },
    };
    const filters = operations['lead']?.['getAll']?.list?.filters ?? [];
    expect(describeFailure(400, body, 'apiKey', filters).message).toBe('Status: Not valid.');
  });

  test('keeps its own message, status and code', () => {
    const body = { error: { code: 'CONFLICT', message: 'The lead is archived.' } };
    expect(describeFailure(409, body, 'apiKey')).toMatchObject({
      message: 'The lead is archived.',
      status: 409,
      code: 'CONFLICT',
    });
  });

  test('says what to do where the message cannot: credentials, subscription, rights, limits', () => {
    for (const code of [
      'UNAUTHORIZED',
      'WRONG_ENVIRONMENT',
      'PAYMENT_REQUIRED',
      'FORBIDDEN',
      'LEGACY_KEY_NOT_ALLOWED',
      'ROLE_PERMISSION_MISSING',
      'ROLE_SCOPE_LIMITED',
      'TOKEN_OWNER_INACTIVE',
      'LIMIT_EXCEEDED',
      'RATE_LIMITED',
    ] as const) {
      for (const authentication of ['apiKey', 'oAuth2'] as const) {
        const body = { error: { code, message: 'No.' } };
        const failure = describeFailure(errorStatus[code], body, authentication);
        expect(failure.description, code).toMatch(/\w+/);
      }
    }
  });

  test('speaks of a key or of a connection, whichever is used', () => {
    for (const code of ['UNAUTHORIZED', 'FORBIDDEN'] as const) {
      const body = { error: { code, message: 'No.' } };
      expect(describeFailure(errorStatus[code], body, 'apiKey').description).toMatch(/key/);
      expect(describeFailure(errorStatus[code], body, 'oAuth2').description).toMatch(/connect/);
    }
  });
});

describe('an answer that is not of the API', () => {
  test('leads to the base URL of the credential', () => {
    for (const body of ['<html></html>', undefined, { message: 'Not found' }, { error: 'Not found' }]) {
      expect(describeFailure(404, body, 'apiKey').description).toMatch(/base URL.*address of your Dealkeep/);
    }
  });

  test('from a failing proxy is called what it is', () => {
    expect(describeFailure(502, '<html></html>', 'oAuth2').message).toBe(
      'Dealkeep is not available (HTTP status 502)',
    );
  });
});

test('no answer at all is explained by its cause', () => {
  const root = 'https://crm.example/api/v1/public';
  expect(unreachable(root, 'ENOTFOUND', undefined).message).toMatch(/crm\.example.*there is no such host/);
  expect(unreachable(root, 'ERR_SSL_WRONG_VERSION_NUMBER', undefined).message).toMatch(
    /does not speak https/,
  );
  expect(unreachable(root, undefined, new Error('Domain not allowed')).message).toMatch(/Domain not allowed/);
});

test('a path is told in labels, with numbers that count from one (rule n8n 9)', () => {
  const items = [
    {
      name: 'items',
      parameter: 'items',
      label: 'Item',
      kind: 'objects',
      fields: [{ name: 'unit_price', parameter: 'unitPrice', label: 'Unit Price', kind: 'number' }],
    },
  ] as const;
  expect(labelOf('items[1].unit_price', items)).toBe('Item 2 → Unit Price');
  expect(labelOf('items[0]', items)).toBe('Item 1');
  expect(labelOf('unknown.part', items)).toBe('unknown → part');
});

test('a base URL is the origin or the API root, with slashes and spaces as they are pasted (rule n8n 1)', () => {
  const root = 'https://crm.example/api/v1/public';
  for (const right of ['https://crm.example', 'https://crm.example/', root, ` ${root}// `]) {
    expect(apiRoot(right)).toBe(root);
    expect(isBelowAPath(apiRoot(right))).toBe(false);
  }
  for (const other of ['https://crm.example/api/v2', 'http://crm.example:8080/crm/']) {
    expect(isBelowAPath(apiRoot(other))).toBe(true);
  }
});

test('a base URL that is no address is refused with what to enter', () => {
  for (const wrong of ['', undefined, 'crm.example/api', 'ftp://crm.example', 'https://']) {
    expect(() => apiRoot(wrong)).toThrow(/base URL/);
  }
});
