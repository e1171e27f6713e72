import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const manifestFolder = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'kubernetes');

export interface Manifest {
  readonly file: string;
  readonly content: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
    readonly [member: string]: unknown;
  };
}

/** The kustomization, which is read by Kustomize and not by the cluster. */
export const readKustomization = async (): Promise<unknown> =>
  parse(await readFile(join(manifestFolder, 'kustomization.yaml'), 'utf8'));

/** Everything that the cluster is given. */
export async function readManifests(): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for await (const file of glob('*.yaml', { cwd: manifestFolder })) {
    if (file === 'kustomization.yaml') continue;
    const documents = parseAllDocuments(await readFile(join(manifestFolder, file), 'utf8'));
    manifests.push(...documents.map((document) => ({ file, content: document.toJS() })));
  }
  return manifests;
}

/** What `docs/kubernetes.md` gives readers to add, where it is a whole manifest. */
export async function readExamples(): Promise<Manifest[]> {
  const file = 'kubernetes.md';
  const page = await readFile(join(manifestFolder, '..', file), 'utf8');
  return [...page.matchAll(/^```yaml\n(apiVersion: (?!kustomize).+?)^```$/gms)].map(([, text = '']) => ({
    file,
    content: parse(text),
  }));
}
