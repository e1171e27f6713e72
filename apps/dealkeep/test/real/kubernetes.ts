// Holds docs/kubernetes against Kubernetes itself, as kubernetes-models has it from its OpenAPI description: the
// compiler refuses members that a kind does not have, the validators values that it does not take.
import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachedInstall, run } from '@dealkeep/tooling';
import { type Manifest, readExamples, readManifests } from './manifests.ts';

const [own, examples] = [await readManifests(), await readExamples()];
assert(own.length > 5, 'docs/kubernetes has manifests');
assert.deepEqual(examples.map(({ content }) => content.kind).sort(), [
  'NetworkPolicy',
  'PersistentVolumeClaim',
]);
const manifests = [...own, ...examples];
const folder = await mkdtemp(join(tmpdir(), 'dealkeep-kubernetes-'));
try {
  const modules = join(await cachedInstall('kubernetes-models-5.1.0'), 'node_modules');
  await symlink(modules, join(folder, 'node_modules'), 'dir');
  await checkMembers(manifests);
  process.stdout.write(`ok  ${manifests.length} manifests have the members of their kinds, and no other\n`);
  await assert.rejects(checkMembers([misspelt(manifests)]), 'a slip is refused');
  process.stdout.write('ok  a slip, put in for a try, is refused, as the line above says\n');
  for (const manifest of manifests) await checkValues(manifest, modules);
  process.stdout.write('ok  their values are such as Kubernetes takes\n');
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** `apps/v1` stands in the folder of that name, and so does `v1`. */
async function checkMembers(checked: readonly Manifest[]): Promise<void> {
  const lines = checked.map(
    (
      { content },
      at,
    ) => `import type { I${content.kind} as Kind${at} } from 'kubernetes-models/${content.apiVersion}';
export const manifest${at}: Kind${at} = ${JSON.stringify(content, null, 2)};
`,
  );
  await writeFile(join(folder, 'manifests.ts'), lines.join('\n'));
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['manifests.ts'] }),
  );
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  await run(process.execPath, [join(typescript, 'bin', 'tsc'), '-p', folder], folder);
}

/** The first with a pod, with a slip in it. */
function misspelt(all: readonly Manifest[]): Manifest {
  const found = all.find(({ content }) => content.kind === 'Deployment');
  assert(found);
  return {
    ...found,
    content: { ...found.content, spec: Object.assign({}, found.content['spec'], { replica: 2 }) },
  };
}

async function checkValues({ file, content }: Manifest, modules: string): Promise<void> {
  const path = join(modules, 'kubernetes-models', content.apiVersion, 'index.js');
  const { [content.kind]: Model } = await import(pathToFileURL(path).href);
  try {
    new Model(content).validate();
  } catch (error) {
    throw new Error(`${file}, ${content.kind}: ${error instanceof Error ? error.message : error}`);
  }
}
