import { existsSync, statSync } from 'node:fs';
import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

export const repository = join(import.meta.dirname, '..', '..', '..');

/** Pages beside those of `docs`, and where they stand on the site. */
const others: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'CHANGELOG.md': 'changelog.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
};

const sources = 'https://github.com/dealkeep/dealkeep';

/** A page of the site; that of a README is the first of its folder. */
export interface Page {
  readonly source: string;
  readonly path: string;
  readonly title: string;
}

/**
 * Copies every page into a folder, as it is but for its links, which lead to pages of the site or to the sources.
 */
export async function stagePages(folder: string): Promise<Page[]> {
  const pages: Page[] = [];
  for (const source of await markdownFiles()) {
    const text = await readFile(join(repository, source), 'utf8');
    const path = placeOf(source) ?? source;
    await mkdir(join(folder, dirname(path)), { recursive: true });
    await writeFile(join(folder, path), withLinks(text, source, path));
    pages.push({ source, path, title: /^# (.+)$/m.exec(text)?.[1] ?? path });
  }
  await cp(join(repository, 'docs', 'pictures'), join(folder, 'pictures'), { recursive: true });
  return pages;
}

async function markdownFiles(): Promise<string[]> {
  const files = Object.keys(others);
  for await (const file of glob('docs/**/*.md', { cwd: repository })) files.push(file);
  return files.sort();
}

/** Where a file of the repository stands on the site; undefined: it does not. */
function placeOf(source: string): string | undefined {
  if (source in others) return others[source];
  if (!/^docs\/.*\.(md|png)$/.test(source)) return undefined;
  return source.slice('docs/'.length).replace(/README\.md$/, 'index.md');
}

function withLinks(text: string, source: string, path: string): string {
  // Code shows links as they are typed.
  return text
    .split(/(```.*?```)/gs)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part
            .replaceAll(/\]\(([^)\s]+)\)/g, (_, link: string) => `](${linkFrom(link, source, path)})`)
            .replaceAll(
              /^(\[[\w-]+\]: )(\S+)$/gm,
              (_, name: string, link: string) => name + linkFrom(link, source, path),
            ),
    )
    .join('');
}

function linkFrom(link: string, source: string, path: string): string {
  if (/^([a-z]+:|#)/.test(link)) return link;
  const [target = '', anchor] = link.split('#');
  const aim = join(dirname(source), target).replace(/\/$/, '');
  const index = join(aim, 'README.md');
  const place = placeOf(aim) ?? (existsSync(join(repository, index)) ? placeOf(index) : undefined);
  const behind = anchor === undefined ? '' : `#${anchor}`;
  if (place !== undefined) return `./${relative(dirname(path), place)}${behind}`;
  const kind = statSync(join(repository, aim)).isDirectory() ? 'tree' : 'blob';
  return `${sources}/${kind}/main/${aim}${behind}`;
}
