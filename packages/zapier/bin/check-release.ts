// Whether the definition may follow the released one: `npm run check:release`.
import { variants } from '../src/index.ts';
import { releaseFindings } from './release/release-findings.ts';
import { nextRelease, readChangelog, releasedDefinition } from './release/released.ts';

const changelog = await readChangelog();
for (const [name, variant] of Object.entries(variants)) {
  const findings = releaseFindings(await releasedDefinition(name), await nextRelease(variant), changelog);
  if (findings.length === 0) continue;
  console.error(findings.map((each) => `${name}: ${each}`).join('\n'));
  process.exitCode = 1;
}
