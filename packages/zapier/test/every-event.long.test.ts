import { eventTypes } from '@dealkeep/contract';
import { startDealkeep } from '@dealkeep/testing';
import { test } from 'vitest';
import { eventZaps } from './event-zaps.ts';

const run = await eventZaps(await startDealkeep());

test.concurrent.for(eventTypes)(
  '%s runs a Zap with the keys and types that its tests and its sample show',
  (type, { expect }) => run(type, expect),
);
