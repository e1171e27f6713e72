import { glob, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';

/** What a comment or a document refers to is in the repository; rules and links have tests of their own. */
const repository = join(import.meta.dirname, '..', '..', '..');
const endings = 'ts,js,cjs,mjs,sql,css,yml,yaml,md';
const notOurs = new Set(['node_modules', 'dist', 'build', 'generated', 'tools']);
/** A changelog tells of what was; this file says what it refuses. */
const exempt = new Set(['CHANGELOG.md', basename(import.meta.filename)]);

const documents = new Set<string>();
for await (const file of glob('**/*.md', {
  cwd: repository,
  exclude: (name) => notOurs.has(basename(name)),
})) {
  documents.add(file);
}
const decisions = [...documents].flatMap((file) => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1] ?? []);

test('what a comment or a document cites is in the repository', async () => {
  const files = glob(
    [`{apps,packages,docs,.github}/**/*.{${endings}}`, '*.md', '*.{ts,cjs,yml}', 'Dockerfile'],
    {
      cwd: repository,
      exclude: (name) => notOurs.has(basename(name)),
    },
  );
  const astray: string[] = [];
  for await (const file of files) {
    if (exempt.has(basename(file))) continue;
    const text = await readFile(join(repository, file), 'utf8');
    const citing = file.endsWith('.md') ? text : commentsOf(text, file);
    astray.push(...missingIn(citing, dirname(file)).map((what) => `${file}: ${what}`));
  }
  expect(astray).toEqual([]);
});

/** Made by a command, and not kept. */
const madeOnDemand = 'apps/console/screenshots';

test('files and folders that a document names are there', async () => {
  const names = new Set([madeOnDemand]);
  const exclude = (name: string) => ['node_modules', 'dist', 'build'].includes(basename(name));
  for await (const name of glob('**', { cwd: repository, exclude })) names.add(name);
  const isNamed = (path: string) => names.has(path) || [...names].some((name) => name.endsWith(`/${path}`));
  const astray: string[] = [];
  for (const document of documents) {
    if (exempt.has(basename(document))) continue;
    const paths = pathsIn(await readFile(join(repository, document), 'utf8'));
    astray.push(...paths.filter((path) => !isNamed(path)).map((path) => `${document}: ${path}`));
  }
  expect(astray).toEqual([]);
});

/** `keeps to its limit (13.4)`: the number of something that is not in the repository. */
const numbered = / \(\d+\.\d+(?:, \d+\.\d+)*\)['"`]/;

test('a test is called by its promise, without a number of what is not in the repository', async () => {
  const exclude = (name: string) => notOurs.has(basename(name));
  const astray: string[] = [];
  for await (const file of glob('{apps,packages}/**/*.{test,real}.ts', { cwd: repository, exclude })) {
    // These name the sections of their RFC.
    if (basename(file).startsWith('rfc') || exempt.has(basename(file))) continue;
    const [found] = numbered.exec(await readFile(join(repository, file), 'utf8')) ?? [];
    if (found) astray.push(`${file}: ${found}`);
  }
  expect(astray).toEqual([]);
});

/** `packages/core` as code, and sources by the end of their path: `verb/change.ts`. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:apps|packages|docs)\/[\w./-]+?|[\w./-]+\.ts)\/?(?:#[\w-]+)?`/g)].map(
    ([, path = '']) => path,
  );

test('paths that a document names are found', () => {
  expect(
    pathsIn('in `packages/core/`, `docs/rules/leads.md#leads-4` and `verb/change.ts`; `npm test`'),
  ).toEqual(['packages/core', 'docs/rules/leads.md', 'verb/change.ts']);
});

/** What a text cites that the repository does not have. */
function missingIn(text: string, folder: string): string[] {
  const flat = text.replaceAll(/\n\s*(?:\*|\/\/|--|#)? ?/g, ' ');
  const unnamed = [
    ...flat.matchAll(
      /\b(?:the|this|see|source:|decisions?,) (?:specification|section \d+)\b|\(specification\b|§ ?\d+/gi,
    ),
  ]
    .filter(({ index }) => !/RFC \d+[ ,.§\d]*$/.test(flat.slice(0, index)))
    .map(([words]) => words);
  const pages = [...flat.matchAll(/(?<![\w/:.@-])(?:\.{1,2}\/)*[\w-][\w./-]*\.md\b/g)]
    .map(([page]) => page)
    .filter((page) => !isThere(page, folder));
  const numbers = [...flat.matchAll(/\bdecisions?[ /](\d{1,4})(?: and (\d{1,4}))?\b/gi)]
    .flatMap(([, first, second]) => [first, second])
    .filter((number) => number !== undefined && !decisions.includes(number.padStart(4, '0')))
    .map((number) => `decision ${number}`);
  return [...unnamed, ...pages, ...numbers];
}

/** A page is cited from the root, or from the folder of whoever cites it or one above. */
function isThere(page: string, folder: string): boolean {
  if (documents.has(join(page)) || documents.has(join(folder, page))) return true;
  return folder !== '.' && isThere(page, dirname(folder));
}

/** The comments of a source file; strings that look like comments come along, which does no harm. */
function commentsOf(text: string, file: string): string {
  if (file.endsWith('.sql')) return [...text.matchAll(/--.*|\/\*[\s\S]*?\*\//g)].join('\n');
  if (/\.ya?ml$|Dockerfile$/.test(file)) return [...text.matchAll(/(?:^|\s)#.*/gm)].join('\n');
  return [...text.matchAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g)].join('\n');
}

test('a document that is not there is found, however it is cited', () => {
  const missing = (text: string) => missingIn(commentsOf(text, 'a.ts'), 'packages/core/src');
  expect(missing('/** Names (specification, Limits). */')).toEqual(['(specification']);
  expect(missing('// As the\n// specification says')).toEqual(['the specification']);
  expect(missing('/** In order (decisions,\n * section 8). */')).toEqual(['decisions, section 8']);
  const page = '../shared/plan.md';
  expect(missing(`// Source: beyond.md, ${page} §9.`)).toEqual(['§9', 'beyond.md', page]);
  expect(missing('// docs/decisions/0999; decisions 1 and 998')).toEqual(['decision 0999', 'decision 998']);
});

test('what is there may be cited, and RFCs by their sections', () => {
  const missing = (text: string) => missingIn(commentsOf(text, 'a.ts'), 'packages/client/src');
  expect(missing('/** docs/rules/limits.md, README.md, decision 3, docs/decisions/0025 */')).toEqual([]);
  expect(missing('// RFC 9110 §15.6.3, §15.6.5, and what follows.')).toEqual([]);
  expect(missing(`const page = 'the specification.md';`)).toEqual([]);
});
