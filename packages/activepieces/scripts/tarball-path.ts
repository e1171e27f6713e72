import { join } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { packageFolder } from './tooling.ts';

/** Where `npm run build` leaves the piece. */
export const tarballPath = join(
  packageFolder,
  `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`,
);
