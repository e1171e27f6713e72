import { allScopes, keyPurposes, type Scope } from '@dealkeep/contract';
import { expect, test } from 'vitest';
import { accessWords } from '../src/integrations/access-words.ts';

test.each<[readonly Scope[], string, string]>([
  [
    allScopes,
    'Everything: reads and changes all records, and hears of events',
    'Všetko: číta a mení všetky záznamy a dozvedá sa o udalostiach',
  ],
  [keyPurposes.reading.scopes, 'Reads everything', 'Číta všetko'],
  [
    keyPurposes.listening.scopes,
    'Reads everything; hears of events',
    'Číta všetko; dozvedá sa o udalostiach',
  ],
  [
    keyPurposes.leads.scopes,
    'Adds leads without seeing them',
    'Pridáva príležitosti bez toho, aby ich videl',
  ],
  [
    ['companies:read', 'companies:write', 'leads:read', 'leads:write', 'invoices:read', 'webhooks:manage'],
    'Reads and changes companies and contacts, leads; reads invoices and quotes; hears of events',
    'Číta a mení firmy a kontakty, príležitosti; číta faktúry a cenové ponuky; dozvedá sa o udalostiach',
  ],
])('what a key with %j may do is one sentence', (scopes, en, sk) => {
  expect([accessWords('en', scopes), accessWords('sk', scopes)]).toEqual([en, sk]);
});

test('each scope alone is told, and none like another', () => {
  const told = allScopes.map((scope) => accessWords('en', [scope]));
  expect(new Set(told).size).toBe(allScopes.length);
  expect(told).not.toContain('');
});
