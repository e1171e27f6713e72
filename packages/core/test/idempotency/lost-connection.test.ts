import { expect, test } from 'vitest';
import { cut, lostAtEach } from './lost-connection.ts';

test('a connection to the database that is cut in a commit: 503, all or nothing is done, and the same key gets the one record', async () => {
  const { instants } = await lostAtEach(({ statement }) => statement === 'commit', cut, 503);
  expect(instants.map(({ state }) => state)).toEqual(['asked', 'answered']);
});
