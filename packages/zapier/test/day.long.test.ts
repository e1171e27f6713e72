import { describe } from 'vitest';
import { oauth2 } from '../src/index.ts';
import { publish } from './platform/connect.ts';
import { startVariant } from './platform/start-in-process.ts';
import { aDayInZapiersLife } from './promises/day/index.ts';

const day = await startVariant(oauth2);
await publish(day.service, day.platform);

describe("a day in Zapier's life", () => {
  aDayInZapiersLife(() => day);
});
