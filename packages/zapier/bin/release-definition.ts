// Keeps the definition of the version in package.json as the released one: `npm run release:definition`.
import { variants } from '../src/index.ts';
import { releaseFindings } from './release/release-findings.ts';
import { nextRelease, readChangelog, releasedDefinition, writeReleased } from './release/released.ts';

const changelog = await readChangelog();
const releases = await Promise.all(
  Object.entries(variants).map(async ([name, variant]) => {
    const next = await nextRelease(variant);
    return { name, next, findings: releaseFindings(await releasedDefinition(name), next, changelog) };
  }),
);
const findings = releases.flatMap(({ name, findings }) => findings.map((each) => `${name}: ${each}`));
if (findings.length > 0) {
  console.error(findings.join('\n'));
  process.exitCode = 1;
} else {
  for (const { name, next } of releases) await writeReleased(name, next);
  console.log(
    `The definition of ${releases[0]?.next.version} is kept in released/; commit it with the release.`,
  );
}
