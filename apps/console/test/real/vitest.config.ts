// The console in Debian's Chromium, against the real service: `npm run test:console`. Apart from the fast tests.
import { basename, join } from 'node:path';
import { testSettings } from '@dealkeep/testing/test-settings';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const testing = join(import.meta.dirname, '../../../../packages/testing/src');

/** These visit every page and every form: minutes each, during which the other files run beside them. */
const longest = ['pages.real.ts', 'forms.real.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLongest = ({ moduleId }: TestSpecification): boolean => longest.includes(basename(moduleId));
    const others = await super.sort(files.filter((file) => !isLongest(file)));
    return [...files.filter(isLongest), ...others];
  }
}

export default defineConfig({
  root: import.meta.dirname,
  test: {
    ...testSettings,
    include: ['**/*.real.ts'],
    globalSetup: [join(testing, 'global-setup.ts'), 'chromium-setup.ts'],
    setupFiles: [join(testing, 'file-setup.ts')],
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
  },
});
