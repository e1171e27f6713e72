// `npm run docs -- build` makes the site of the documents in build/site and follows every link in it; `-- dev` shows
// it and follows changes. VitePress is fetched when it is first needed.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachedInstall } from '@dealkeep/tooling';
import { brokenLinks } from './check-links.ts';
import { siteConfiguration } from './configuration.ts';
import { writeReference } from './reference.ts';
import { repository, stagePages } from './stage.ts';

const [command = ''] = process.argv.slice(2);
if (command !== 'build' && command !== 'dev') {
  process.stderr.write('Usage: npm run docs -- build|dev\n');
  process.exit(64);
}
/** The path below which the site is published: that of a repository, for GitHub Pages. */
const base = process.env['SITE_BASE'] || '/';
const stage = join(repository, 'build', 'documents');
const site = join(repository, 'build', 'site');

await rm(stage, { recursive: true, force: true });
await rm(site, { recursive: true, force: true });
const pages = await stagePages(stage);
await writeReference(join(stage, 'public'), base);
await mkdir(join(stage, '.vitepress'), { recursive: true });
const configured = `import { markdown } from ${JSON.stringify(join(import.meta.dirname, 'markdown.ts'))};
export default { ...${JSON.stringify(siteConfiguration(pages, base))}, markdown };
`;
await writeFile(join(stage, '.vitepress', 'config.ts'), configured);

const tool = await cachedInstall('vitepress-1.6.4');
const program = join(tool, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
const vitepress = spawn(process.execPath, [program, command, stage], { stdio: 'inherit' });
if (command === 'dev') watch(join(repository, 'docs'), { recursive: true }, () => void stagePages(stage));
vitepress.once('exit', async (code) => {
  process.exitCode = code ?? 1;
  if (command !== 'build' || code !== 0) return;
  const broken = await brokenLinks(site, base);
  if (broken.length > 0) process.exitCode = 1;
  process.stdout.write(
    broken.length > 0
      ? `Links that lead nowhere:\n${broken.join('\n')}\n`
      : `${pages.length} pages in build/site; every link, picture and anchor leads somewhere.\n`,
  );
});
