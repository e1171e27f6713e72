import { surfaceBreaks } from '@dealkeep/tooling';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import released from '../released/surface.json' with { type: 'json' };
import { n8nSurface } from '../scripts/release/surface.ts';

const surface = n8nSurface();
const major = (version: string) => version.split('.')[0];

test('no name that a workflow keeps is gone since the last release (rule n8n 4)', () => {
  expect(Object.keys(released.surface).length).toBeGreaterThan(1000);
  expect(major(manifest.version)).toBe(major(released.version));
  expect(surfaceBreaks(released.surface, surface)).toEqual([]);
});

test.each(['lead.move', 'lead.update, parameter leadId', 'company.getAll, parameter returnAll'])(
  '%s without its name is told',
  (name) => {
    const { [name]: gone, ...left } = surface;
    expect(gone).toBeDefined();
    expect(surfaceBreaks(released.surface, left).join()).toContain(`${name}: is gone.`);
  },
);
