import { describe, expect, test } from 'vitest';
import { addressBelow } from '../src/lib/requests/address-below.ts';

const root = 'https://crm.example.com/api/v1/public';
const leads = `${root}/leads`;

describe('the address of a Custom API Call (rule activepieces 10)', () => {
  test.each([
    ['/leads', leads],
    ['leads', leads],
    [' /leads?q=city bike&x=50%25 ', `${leads}?q=city%20bike&x=50%25`],
    [leads, leads],
    ['HTTPS://CRM.example.com:443/api/v1/public/leads', leads],
    ['/@evil.example', `${root}/@evil.example`],
    ['', `${root}/`],
  ])('%j is %s', (written, address) => {
    expect(addressBelow(root, written).href).toBe(address);
  });

  test.each([
    'http://crm.example.com/api/v1/public/leads',
    'https://evil.example/api/v1/public/leads',
    'https://crm.example.com.evil.example/api/v1/public/leads',
    'https://crm.example.com@evil.example/api/v1/public/leads',
    'https://crm.example.com:444/api/v1/public/leads',
    'https://crm.example.com/api/v1/public-other',
    'https://crm.example.com/console',
    'https:evil.example/api/v1/public/leads',
    '//evil.example/api/v1/public/leads',
    '\\\\evil.example/leads',
    '/\\evil.example/leads',
    'https:\\\\evil.example/api/v1/public/leads',
    'https://evil.example\\@crm.example.com/api/v1/public/leads',
    'ht\ntps://evil.example/leads',
    '/../../../console',
    '/%2e%2e/%2E%2E/console',
    '/..%2f..%2fconsole',
    '/..%5cconsole',
    '/%252e%252e/console',
    '/leads#x',
    'file:///etc/passwd',
  ])('%j is refused', (written) => {
    expect(() => addressBelow(root, written)).toThrow(/^URL: The key of this connection is only sent to /);
  });
});
