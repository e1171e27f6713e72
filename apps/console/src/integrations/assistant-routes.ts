import {
  inLowerCase,
  mcpPath,
  resources,
  type ToolSetName,
  toolSetNames,
  toolSets,
} from '@dealkeep/contract';
import { listAssistants } from '@dealkeep/core/accounts';
import { tokenPrefix } from '@dealkeep/core/foundations';
import type { Hono } from 'hono';
import { html } from 'hono/html';
import { registerAssistantPath } from '../auth/unregistered-page.ts';
import { type ConsoleContext, type ConsoleEnvironment, sessionOf } from '../context.ts';
import { page } from '../frame/page.ts';
import {
  badge,
  type Column,
  card,
  choices,
  factList,
  folded,
  linkButton,
  type Markup,
  quiet,
  table,
} from '../markup.ts';
import { assistantReachWords } from '../values/assistant-reach.ts';
import { assistantGuides, type Guide } from './assistant-guides.ts';
import { assistantSay } from './assistant-texts.ts';
import { copyable } from './copyable.ts';

const path = '/integrations/assistants';

/** How AI assistants are connected: everybody connects one to their own account, owners also make keys for them. */
export function assistantRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(path, assistantsPage);
}

const isOwner = (c: ConsoleContext): boolean => sessionOf(c).user.permissions === 'owner';

async function assistantsPage(c: ConsoleContext): Promise<Response> {
  const text = assistantSay(c.get('language'));
  const { sql, origin, environment } = c.get('core');
  const assistants = await listAssistants(sql, sessionOf(c).organization.id);
  const registered = new Set(assistants.map(({ client_id: id }) => id));
  const guides = assistantGuides({ origin, keyPrefix: tokenPrefix(environment) });
  const content = html`<h1>${text('connectAssistant')}</h1>
${notices(c)}
<p>${text('about')}</p>
${card(text('permitted'), permitted(c))}
<h2>${text('signingIn')}</h2>
${signingIn(c)}
<h2>${text('steps')}</h2>
${guides.map((guide) => guideCard(c, guide, registered))}
<section class="card"><h3>${text('others')}</h3><p>${text('othersAbout')}</p></section>
<h2>${text('addresses')}</h2>
<p class="quiet">${text('addressesAbout', { readonly: '/readonly' })}</p>
${table(addressColumns(c), addresses(c))}`;
  return page(c, { title: text('connectAssistant'), content });
}

const hasHttps = (c: ConsoleContext): boolean => c.get('core').origin.startsWith('https:');

/** What keeps assistants from connecting, whatever somebody does below. */
function notices(c: ConsoleContext): Markup {
  const text = assistantSay(c.get('language'));
  const said = [
    ...(sessionOf(c).assistants.access === 'off'
      ? [`${text('switchedOff')} ${isOwner(c) ? '' : text('askOwner')}`]
      : []),
    ...(hasHttps(c) ? [] : [text('noHttps', { origin: c.get('core').origin })]),
  ];
  return html`${said.map((sentence) => html`<div class="held" role="status"><p>${sentence}</p></div>`)}`;
}

/** What the organization lets assistants do, and where an owner changes it. */
function permitted(c: ConsoleContext): Markup {
  const text = assistantSay(c.get('language'));
  const words = assistantReachWords(c, sessionOf(c).assistants);
  const change = isOwner(c) ? html` <a href="/settings/organization/edit">${text('change')}</a>` : '';
  return factList([
    [text('permitted'), html`${words}${change}`],
    [
      text('address'),
      copyable(c, { id: 'address', name: text('address'), code: c.get('core').origin + mcpPath }),
      'wide',
    ],
  ]);
}

/** Both ways to sign in, and who prepares what for them. */
function signingIn(c: ConsoleContext): Markup {
  const text = assistantSay(c.get('language'));
  const command = 'npx dealkeep oauth-apps create --metadata-url https://…';
  const keys = isOwner(c) ? choices(linkButton('/integrations/keys/new', text('newKey'), 'secondary')) : '';
  return html`<div class="cards"><section class="card"><h3>${text('withAccount')}</h3><p>${text('withAccountAbout')}</p>
<p><code>${command}</code></p>
${choices(linkButton('/integrations/apps', text('toApps'), 'secondary'))}</section>
<section class="card"><h3>${text('withKey')}</h3><p>${text('withKeyAbout')}</p>${keys}</section></div>`;
}

interface Address {
  readonly id: string;
  readonly name: string;
  readonly holds: string;
  readonly code: string;
}

/** The addresses of the sets that the organization allows. */
function addresses(c: ConsoleContext): Address[] {
  const [language, text] = [c.get('language'), assistantSay(c.get('language'))];
  const { toolSets: allowed } = sessionOf(c).assistants;
  const base = c.get('core').origin + mcpPath;
  const holds = (name: ToolSetName): string =>
    toolSets[name].resources.map((resource) => inLowerCase(resources[resource].plural[language])).join(', ');
  const sets = toolSetNames.filter((name) => allowed?.includes(name) ?? true);
  return [
    { id: 'usual', name: text('usual'), holds: text('usualHolds'), code: base },
    ...sets.map((name) => ({
      id: name,
      name: toolSets[name].label[language],
      holds: holds(name),
      code: `${base}/${name}`,
    })),
    { id: 'all', name: text('all'), holds: text('allHolds'), code: `${base}/all` },
  ];
}

function addressColumns(c: ConsoleContext): Column<Address>[] {
  const text = assistantSay(c.get('language'));
  return [
    { label: text('set'), cell: ({ name }) => name },
    { label: text('holds'), cell: ({ holds }) => holds },
    {
      label: text('address'),
      cell: ({ id, name, code }) => copyable(c, { id: `address-${id}`, name, code }),
    },
  ];
}

function guideCard(c: ConsoleContext, guide: Guide, registered: ReadonlySet<string>): Markup {
  const { id, name, inCloud, metadataAddress, steps } = guide;
  const text = assistantSay(c.get('language'));
  const unreachable = inCloud && !hasHttps(c) ? html` ${badge(text('needsHttps'), 'warning')}` : '';
  const shown = steps.map(({ say, code }, index) => {
    const number = index + 1;
    const copied =
      code === undefined
        ? ''
        : copyable(c, { id: `${id}-${number}`, name: `${name}, ${text('step', { number })}`, code });
    return html`<li>${say[c.get('language')]}${copied}</li>`;
  });
  const isRegistered = metadataAddress !== undefined && registered.has(metadataAddress);
  const ready = isRegistered ? html` ${badge(text('isRegistered'), 'good')}` : '';
  const title = html`<h3>${name}</h3>${ready}${unreachable}`;
  const signingUp = isRegistered ? '' : registration(c, guide);
  return html`<div class="card unfolding">${folded(title, html`${signingUp}<ol class="steps">${shown}</ol>`)}</div>`;
}

/** What has to be done once before anybody connects it to their account. */
function registration(c: ConsoleContext, { id, name, metadataAddress }: Guide): Markup {
  const text = assistantSay(c.get('language'));
  if (metadataAddress === undefined) return html`<p>${quiet(text('nothingRegistered'))}</p>`;
  const address = { id: `${id}-registered`, name: `${name}, ${text('metadata')}`, code: metadataAddress };
  const form = `${registerAssistantPath}?${new URLSearchParams({ metadata_url: metadataAddress })}`;
  const register = isOwner(c) ? html`<p><a href="${form}">${text('register', { name })}</a></p>` : '';
  return html`<p class="quiet">${text('registered')}</p>${copyable(c, address)}${register}`;
}
