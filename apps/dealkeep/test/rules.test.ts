import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { rulesFolder as folder, isLong, rulesInTitles, rulesNamedIn } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';

/** `docs/rules`: that links lead somewhere is checked for all documents in `documentation-links.test.ts`. */
const repository = join(import.meta.dirname, '..', '..', '..');
const index = 'README';

const texts = new Map<string, string>();
for await (const file of glob('*.md', { cwd: folder })) {
  texts.set(basename(file, '.md'), await readFile(join(folder, file), 'utf8'));
}
const pages = [...texts.keys()].filter((page) => page !== index).sort();

interface Rule {
  readonly heading: string;
  readonly number: number;
  /** What stands between its heading and the next one. */
  readonly text: string;
}

/** The sections of a page, each with its rules. */
const sectionsOf = (page: string): Rule[][] =>
  (texts.get(page) ?? '').split(/^## /m).map((section) =>
    [...section.matchAll(/^### (.*)\n([^#]*(?:#(?!##)[^#]*)*)/gm)].map(([, heading = '', text = '']) => ({
      heading,
      number: Number(/ (\d+)$/.exec(heading)?.[1]),
      text: text.trim(),
    })),
  );
const rulesOf = (page: string): Rule[] => sectionsOf(page).flat();
const citable = new Set(pages.flatMap((page) => rulesOf(page).map(({ heading }) => heading)));

test('the index names every page of rules, each once, and no other', () => {
  const named = [...(texts.get(index) ?? '').matchAll(/^- (\S+):/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(pages.map((page) => `[${page}.md](${page}.md)`).toSorted());
});

describe.each(pages)('%s', (page) => {
  test('has rules that are called as the page is, and numbered from 1 without gaps', () => {
    const rules = rulesOf(page);
    expect(rules.length).toBeGreaterThan(0);
    const numbers = rules.map(({ number }) => number).sort((a, b) => a - b);
    expect(numbers).toEqual(rules.map((_, position) => position + 1));
    expect(rules.map(({ heading }) => heading)).toEqual(rules.map(({ number }) => `${page} ${number}`));
  });

  test('shows the rules of each section in their order', () => {
    for (const rules of sectionsOf(page)) {
      const numbers = rules.map(({ number }) => number);
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
  });

  test('says something in every rule, and of one that no longer holds what supersedes it', () => {
    for (const { heading, text } of rulesOf(page)) {
      expect(text, heading).not.toBe('');
      if (/supersede/i.test(text)) expect(text, heading).toMatch(/^Superseded by \[[a-z0-9-]+ \d+\]\(/);
    }
  });

  test('calls a linked rule by its own name', () => {
    const links = [...(texts.get(page) ?? '').matchAll(/\[([a-z0-9-]+ \d+)\]\(([^)]*)\)/g)];
    for (const [, name = '', link] of links) {
      const anchor = name.replace(' ', '-');
      const [own, target] = [`#${anchor}`, `${name.split(' ')[0]}.md#${anchor}`];
      expect(link === own && name.startsWith(`${page} `) ? target : link, name).toBe(target);
      expect([...citable]).toContain(name);
    }
  });
});

test('every rule that code, a test or a document names exists', async () => {
  const unknown: string[] = [];
  const own = ['ts', 'sql', 'md', 'json'].map((ending) => `{apps,packages}/*/**/*.${ending}`);
  const files = glob([...own, 'docs/**/*.md', '*.md'], {
    cwd: repository,
    exclude: (name) => ['node_modules', 'dist', 'build', 'generated'].includes(basename(name)),
  });
  for await (const file of files) {
    const text = await readFile(join(repository, file), 'utf8');
    for (const name of rulesNamedIn(text)) if (!citable.has(name)) unknown.push(`${file}: ${name}`);
  }
  expect(unknown).toEqual([]);
});

/** Rules that no quick test can keep: a long one's title names each. The list can only become shorter. */
const onlyInLongTests: readonly string[] = [];

/** The rules that titles name, of the tests of `npm test` and of those on real platforms, and of the long ones. */
async function namedInTitles(): Promise<{ quick: Set<string>; long: Set<string> }> {
  const [quick, long] = [new Set<string>(), new Set<string>()];
  const files = glob('{apps,packages}/*/test/**/*.{test,real}.ts', {
    cwd: repository,
    exclude: (name) => basename(name) === 'node_modules',
  });
  for await (const file of files) {
    const into = isLong(file) ? long : quick;
    for (const rule of rulesInTitles(await readFile(join(repository, file), 'utf8'))) into.add(rule);
  }
  return { quick, long };
}

test('every rule is named in the title of a test that npm test runs, or of one on a real platform (rule operator 4)', async () => {
  const { quick, long } = await namedInTitles();
  const holding = pages
    .flatMap((page) => rulesOf(page))
    .filter(({ text }) => !text.startsWith('Superseded by'))
    .map(({ heading }) => heading);
  const unnamed = holding.filter((rule) => !quick.has(rule) && !onlyInLongTests.includes(rule));
  const wrong = [
    ...unnamed.map(
      (rule) =>
        `No quick test names rule ${rule}: end the title of the one that fails when it is broken with (rule ${rule}), or write one.`,
    ),
    ...onlyInLongTests
      .filter((rule) => quick.has(rule) || !holding.includes(rule))
      .map(
        (rule) => `Rule ${rule} is named by a quick test or holds no longer: take it out of onlyInLongTests.`,
      ),
    ...onlyInLongTests
      .filter((rule) => !long.has(rule))
      .map(
        (rule) =>
          `No long test names rule ${rule}: end the title of the one that keeps it with (rule ${rule}).`,
      ),
  ];
  expect(wrong).toEqual([]);
});

test('names of rules are recognised however they are written', () => {
  expect(rulesNamedIn('(rule leads 4)')).toEqual(['leads 4']);
  expect(rulesNamedIn('rules leads 4 and 5; rules\n * rate-limits 1, 2 and keys 3.')).toEqual([
    'leads 4',
    'leads 5',
    'rate-limits 1',
    'rate-limits 2',
    'keys 3',
  ]);
  expect(rulesNamedIn('Rule leads 4, and 5 of them')).toEqual(['leads 4', 'leads 5']);
  expect(rulesNamedIn('by rules, 4 of them; Delivery rules 1')).toEqual([]);
});

test('a title names rules at its end; what a comment names is no title', () => {
  const call = (title: string, rules: string): string => `test('${title} (${rules})', () => {});`;
  const source = [
    '// As (rule keys 3) says.',
    call('a lead', 'rule leads 4'),
    call('%s', 'rules hooks 13, 14 and leads 5'),
  ];
  expect(rulesInTitles(source.join('\n'))).toEqual(['leads 4', 'hooks 13', 'hooks 14', 'leads 5']);
});
