import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..', '..', '..');
const pages: string[] = [];
for await (const page of glob(['*.md', 'docs/**/*.md', 'packages/*/*.md', 'apps/*/*.md'], {
  cwd: repository,
})) {
  pages.push(page);
}

/** Our own files, also where a page that npm shows names them by their address. */
const ourPage = 'https://github.com/dealkeep/dealkeep/blob/main/';

describe.each(pages.sort())('%s', async (page) => {
  const text = (await readFile(join(repository, page), 'utf8')).replaceAll(/```.*?```/gs, '');
  const links = [...text.matchAll(/\]\(([^)\s]+)\)|^\[[\w-]+\]: (\S+)$/gm)]
    .map(([, inline, named]) => inline ?? named ?? '')
    .map((link) => link.replace(ourPage, `${relative(dirname(page), '.') || '.'}/`))
    .filter((link) => !/^[a-z]+:/.test(link));

  test('has links that lead somewhere', async () => {
    const broken: string[] = [];
    for (const link of new Set(links)) if (!(await leadsSomewhere(page, link))) broken.push(link);
    expect(broken).toEqual([]);
  });
});

async function leadsSomewhere(page: string, link: string): Promise<boolean> {
  const [target = '', anchor] = link.split('#');
  const aim = join(repository, target === '' ? page : join(dirname(page), target));
  const exists = await access(aim).then(
    () => true,
    () => false,
  );
  if (!exists || anchor === undefined || !aim.endsWith('.md')) return exists;
  const text = (await readFile(aim, 'utf8')).replaceAll(/```.*?```/gs, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].some(([, title = '']) => anchorOf(title) === anchor);
}

/** As GitHub makes the anchor of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
