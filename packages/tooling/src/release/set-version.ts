// `npm run release:version -- 0.2.0`: writes the version of the product wherever it stands, for a commit of its own.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { released } from './changelog.ts';
import { manifestPaths, repository } from './product.ts';
import { lockWithVersion, withImageVersion, withVersion } from './version-texts.ts';

/** Beside the manifests: whatever names the image by its version. */
const namingTheImage = [
  'docker-compose.yml',
  'docs/kubernetes.md',
  'docs/kubernetes/kustomization.yaml',
  'docs/kubernetes/migration.yaml',
];

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) {
  process.stderr.write('Usage: npm run release:version -- MAJOR.MINOR.PATCH\n');
  process.exit(64);
}

const change = async (path: string, changed: (text: string) => string): Promise<void> => {
  const text = await readFile(join(repository, path), 'utf8');
  await writeFile(join(repository, path), changed(text));
};
const asJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

// First what can refuse.
await change('CHANGELOG.md', (text) => released(text, version, new Date().toISOString().slice(0, 10)));
for (const path of manifestPaths()) {
  await change(path, (text) => {
    const manifest = JSON.parse(text);
    return asJson(withVersion(manifest, manifest.name, version));
  });
}
await change('package-lock.json', (text) => asJson(lockWithVersion(JSON.parse(text), version)));
for (const path of namingTheImage) await change(path, (text) => withImageVersion(text, version));
process.stdout.write(
  `Version ${version} stands everywhere. Look at git diff, commit it, then tag v${version}.\n`,
);
