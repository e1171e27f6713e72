/** What CHANGELOG.md says of a version, without its heading; undefined when it has no such heading. */
export function notesOf(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((each) => each.split(/\s/, 1)[0] === version);
  return section?.slice(section.indexOf('\n')).trim();
}

/** The versions that CHANGELOG.md says were released, the newest first. */
export const versionsOf = (changelog: string): string[] =>
  [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \(/gm)].map(([, version = '']) => version);

/** The changelog in which what was unreleased is of that version, below an empty section for what follows. */
export function released(changelog: string, version: string, day: string): string {
  if (!notesOf(changelog, 'Unreleased')) {
    throw new Error('CHANGELOG.md says nothing under "## Unreleased": a release without an effect on users');
  }
  return changelog.replace('## Unreleased', `## Unreleased\n\n## ${version} (${day})`);
}
