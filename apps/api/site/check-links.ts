import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Links, pictures and anchors of a built site that lead nowhere: `leads.html: #leads-99`. Addresses of others are
 * left out.
 */
export async function brokenLinks(site: string, base: string): Promise<string[]> {
  const pages = new Map<string, string>();
  for await (const page of glob('**/*.html', { cwd: site })) {
    pages.set(page, await readFile(join(site, page), 'utf8'));
  }
  const ids = new Map(
    [...pages].map(([page, text]) => [
      page,
      new Set([...text.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)),
    ]),
  );
  const broken: string[] = [];
  for (const [page, text] of pages) {
    const links = [...text.matchAll(/\s(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link);
    for (const link of new Set(links)) {
      if (/^([a-z]+:|\/\/|\?)/.test(link)) continue;
      const [path = '', anchor] = decodeURI(link.replaceAll('&amp;', '&')).split('#');
      const aim = aimOf(path, page, base, site);
      if (aim === undefined || (anchor && pages.has(aim) && !ids.get(aim)?.has(anchor))) {
        broken.push(`${page}: ${link}`);
      }
    }
  }
  return broken.sort();
}

/** The file that a link means, below the site; undefined when there is none. */
function aimOf(path: string, page: string, base: string, site: string): string | undefined {
  const place = path.startsWith(base) ? path.slice(base.length) : join(dirname(page), path);
  const aims = path === '' ? [page] : [place, `${place}.html`, join(place, 'index.html')];
  return aims.find((aim) => /\.\w+$/.test(aim) && existsSync(join(site, aim)));
}
