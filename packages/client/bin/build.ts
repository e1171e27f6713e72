import { join } from 'node:path';
import { buildPackage } from './build-package.ts';

// The package to publish: `npm publish packages/client/dist`.
await buildPackage(join(import.meta.dirname, '../dist'));
