import { beforeAll, describe } from 'vitest';
import { accountPromises } from './account.ts';
import { documentedZapPromises } from './documented-zaps.ts';
import { endedConnectionPromises } from './ended-connection.ts';
import { settingsPromises } from './settings.ts';
import { stepPromises } from './step.ts';
import { type Day, makeToday, type Today } from './today.ts';
import { zapOfTheDayPromises } from './zap.ts';

const groups: Readonly<Record<string, (today: Today) => void>> = {
  'the account': accountPromises,
  'a Zap': zapOfTheDayPromises,
  'a step': stepPromises,
  'the Zap': documentedZapPromises,
  'what a running Zap was set to': settingsPromises,
  'the connection': endedConnectionPromises,
};

/** What Zapier does with one account from its connection to its end, and what the API really answers. */
export function aDayInZapiersLife(dayOf: () => Day): void {
  const today = makeToday(dayOf);
  beforeAll(() => today.begin());
  for (const [name, promises] of Object.entries(groups)) describe(name, () => promises(today));
}
