import { jobPool } from '@dealkeep/core/foundations';
import { startDealkeep } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';

test('a connection that is given back twice, as graphile-worker may give the one that listens, is taken back once', async () => {
  const { databaseUrl } = await startDealkeep({ worker: false });
  const pool = await jobPool(databaseUrl, 1);
  onTestFinished(() => pool.end());
  await new Promise<void>((resolve, reject) => {
    pool.connect((error, client, done) => {
      if (error || !client) return reject(error);
      try {
        done();
        done();
        resolve();
      } catch (raised) {
        reject(raised);
      }
    });
  });
  const takenAtOnce = await Promise.all([1, 2].map((each) => pool.query('select $1::int as each', [each])));
  expect(takenAtOnce.map(({ rows }) => rows)).toEqual([[{ each: 1 }], [{ each: 2 }]]);
});

test('what a pool that has ended refuses can be given back, too, as graphile-worker does', async () => {
  const { databaseUrl } = await startDealkeep({ worker: false });
  const pool = await jobPool(databaseUrl, 1);
  await pool.end();
  const refused = await new Promise<unknown>((resolve, reject) => {
    pool.connect((error, _client, done) => {
      try {
        done();
        resolve(error);
      } catch (raised) {
        reject(raised);
      }
    });
  });
  expect(refused).toMatchObject({ message: 'Cannot use a pool after calling end on the pool' });
});
