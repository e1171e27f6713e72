import { createDocumentedApp } from '@dealkeep/core/accounts';
import { Problem } from '@dealkeep/core/foundations';
import { sharedDealkeep, startAssistantHost } from '@dealkeep/testing';
import { expect, test } from 'vitest';

test('a document that never comes is refused', async () => {
  const { core } = await sharedDealkeep();
  const host = await startAssistantHost();
  host.serve(() => {}, {}, '/silent.json');
  const asked = createDocumentedApp(core, { metadataUrl: host.address('/silent.json'), scopes: undefined });
  const refused = await asked.catch((error: unknown) => error);
  if (!(refused instanceof Problem)) throw new Error('It was not refused');
  expect(JSON.stringify(refused.body('en'))).toContain('does not answer in time');
});
