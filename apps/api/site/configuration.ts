import type { Page } from './stage.ts';

/** What stands beside each page, by what its readers are about to do; rules and decisions come by themselves. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'Using it': ['console', 'importing', 'forgetting', 'changelog'],
  'Running it': [
    'self-hosting',
    'backup',
    'point-in-time-recovery',
    'performance',
    'scaling',
    'citus',
    'kubernetes',
    'monitoring',
    'queue',
    'releases',
    'security',
  ],
  'Automating it': ['zapier', 'n8n', 'activepieces', 'ai', 'ai-questions', 'messages'],
  'Programming it': ['api', 'webhooks', 'catching-up', 'oauth'],
  'Working on it': ['contributing', 'publishing-zapier', 'publishing-n8n'],
};

/** The configuration of VitePress, for its file. */
export function siteConfiguration(pages: readonly Page[], base: string): object {
  const item = ({ path, title }: Page) => ({ text: title, link: `/${path.replace(/(index)?\.md$/, '')}` });
  const named = (name: string) => pages.filter(({ path }) => path === `${name}.md`).map(item);
  const listed = new Set(
    Object.values(groups)
      .flat()
      .map((name) => `${name}.md`),
  );
  const below = (folder: string) => pages.filter(({ path }) => path.startsWith(`${folder}/`)).map(item);
  const rest = pages.filter(({ path }) => !path.includes('/') && !listed.has(path) && path !== 'index.md');
  return {
    title: 'Dealkeep',
    description: 'A self-hosted business-management API with the connectors that automate it',
    lang: 'en',
    base,
    outDir: '../site',
    cleanUrls: false,
    lastUpdated: false,
    themeConfig: {
      search: { provider: 'local' },
      outline: [2, 3],
      socialLinks: [{ icon: 'github', link: 'https://github.com/dealkeep/dealkeep' }],
      nav: [
        { text: 'Running it', link: '/self-hosting' },
        { text: 'API reference', link: '/reference/index.html', target: '_self' },
        { text: 'Changelog', link: '/changelog' },
      ],
      sidebar: [
        ...Object.entries(groups).map(([text, names]) => ({ text, items: names.flatMap(named) })),
        ...(rest.length > 0 ? [{ text: 'More', items: rest.map(item) }] : []),
        { text: 'What it promises', collapsed: true, items: below('rules') },
        { text: 'Why it is so', collapsed: true, items: below('decisions') },
      ],
    },
  };
}
