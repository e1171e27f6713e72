// What programs rely on, compared with the last release: `npm run check:surface`. `npm run release:surface` keeps
// it.
import { join } from 'node:path';
import { compareWithReleased } from '@dealkeep/tooling';
import { clientSurface } from './client-surface.ts';

await compareWithReleased(join(import.meta.dirname, '..'), await clientSurface());
