import { startDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { eventZaps } from './event-zaps.ts';

// Of all 45 events: every-event.long.test.ts; how a run is made of each,
// packages/connectors/test/event-output.test.ts.

const run = await eventZaps(await startDealkeep());

test('lead.updated runs a Zap with the keys and types that its tests and its sample show (rule zapier 6)', () =>
  run('lead.updated', expect));
