import { describe, expect, test } from 'vitest';
import { endAbsence, readAbsence, reopenAbsence, writeAbsence } from '../nodes/shared/trigger/absence.ts';

const since = '2026-11-22T08:00:00.000Z';
const absence = { since, events: ['lead.created'], reached: { 'lead.created': since } };

describe('the absence that a trigger remembers', () => {
  test('is read as it was written, also by the next process', () => {
    const staticData = {};
    writeAbsence(staticData, absence);
    expect(readAbsence(JSON.parse(JSON.stringify(staticData)))).toEqual(absence);
    writeAbsence(staticData, undefined);
    expect(readAbsence(staticData)).toBeUndefined();
  });

  test.each(['subscribed', 'refused'] as const)(
    'tells that its end was %s until the next one is awaited, and nothing else changes',
    (outcome) => {
      const staticData = {};
      writeAbsence(staticData, absence);
      endAbsence(staticData, outcome);
      expect(readAbsence(JSON.parse(JSON.stringify(staticData)))).toEqual({ ...absence, outcome });
      reopenAbsence(staticData);
      expect(readAbsence(JSON.parse(JSON.stringify(staticData)))).toEqual(absence);
    },
  );

  test('does not begin with its end', () => {
    const staticData = {};
    endAbsence(staticData, 'subscribed');
    reopenAbsence(staticData);
    expect(readAbsence(staticData)).toBeUndefined();
  });

  test('of a release that remembered less is read', () => {
    expect(readAbsence({ absence: { since, events: ['lead.created'] } })).toEqual({
      ...absence,
      reached: {},
    });
    expect(readAbsence({ absence: { since } })).toEqual({ since, events: [], reached: {} });
  });

  test.each([[undefined], ['yesterday'], [{ since: 5 }], [null]])('%j is none', (stored) => {
    expect(readAbsence({ absence: stored })).toBeUndefined();
  });
});
