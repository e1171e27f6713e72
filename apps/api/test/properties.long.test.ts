import { tryProperties } from './properties.ts';

// Others each time; `npm run soak -- inputs` tries many.
tryProperties({ runs: Number(process.env['PROPERTY_RUNS'] ?? 15) });
