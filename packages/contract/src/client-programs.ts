import { asciiLowerCase } from './comparison-form.ts';
/** The programs of ours that call the API, by the name that each introduces itself with. */
export const clientPrograms = {
  client: 'dealkeep-client',
  commandLine: 'dealkeep',
  n8n: 'n8n-nodes-dealkeep',
  zapier: 'dealkeep-zapier',
  activepieces: 'dealkeep-activepieces',
} as const;

/** The `User-Agent` of one of our programs: its name and its version (RFC 9110, 10.1.5). */
export const userAgentOf = (program: keyof typeof clientPrograms, version: string): string =>
  `${clientPrograms[program]}/${version}`;

/** The platforms of automation. */
export const platforms = {
  zapier: { label: 'Zapier' },
  n8n: { label: 'n8n' },
  activepieces: { label: 'Activepieces' },
} as const;

export type Platform = keyof typeof platforms;

/** The names by which a platform calls: our connector's, and its own, which its steps for any HTTP send. */
const callers: ReadonlyMap<string, Platform> = new Map([
  [clientPrograms.zapier, 'zapier'],
  ['zapier', 'zapier'],
  [clientPrograms.n8n, 'n8n'],
  ['n8n', 'n8n'],
  [clientPrograms.activepieces, 'activepieces'],
]);

/**
 * The platform that a request comes from, by the first name in its `User-Agent`; undefined when it is none. Before
 * the name may stand what robots put there, as n8n does where it is told to:
 * `Mozilla/5.0 (compatible; n8n/2.41.1; …)`.
 */
export const platformOf = (userAgent: string): Platform | undefined =>
  callers.get(asciiLowerCase(/^(?:Mozilla\/5\.0 \(compatible; )?([^\s/;)]*)/.exec(userAgent)?.[1] ?? ''));
