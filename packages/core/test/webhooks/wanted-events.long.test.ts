import { test } from 'vitest';
import { conditionsAreJudgedRight } from './conditions-of-webhooks.ts';

test('the condition of a webhook says of any record, filter and change what a reference evaluator says', () =>
  conditionsAreJudgedRight(20));
