import { basePath, type Scope } from '@dealkeep/contract';
import { type ApiKey, listApiKeysOf, listEndedApiKeysOf } from '@dealkeep/core/accounts';
import { listWebhooksWithHealth, type Webhook } from '@dealkeep/core/delivering';
import { notFound, tokenPrefix } from '@dealkeep/core/foundations';
import { assistantReach, lesserReach } from '@dealkeep/core/identity';
import { html } from 'hono/html';
import { idIn, requireOwner } from '../auth/permitted.ts';
import { type ConsoleContext, sessionOf } from '../context.ts';
import { secretPage } from '../forms/form-page.ts';
import { withIcon } from '../frame/icons.ts';
import { page } from '../frame/page.ts';
import {
  badge,
  bar,
  bulletList,
  card,
  choices,
  factList,
  folded,
  linkButton,
  type Markup,
  quiet,
  trail,
} from '../markup.ts';
import { assistantReachWords } from '../values/assistant-reach.ts';
import { momentOf, momentText } from '../values/shown-value.ts';
import { healthBadge, nameOf, webhooksPath } from '../values/webhook.ts';
import { accessWords } from './access-words.ts';
import { copyable } from './copyable.ts';
import { lastUse, scopeList } from './credentials.ts';
import { doneNotice, integrationSay } from './texts.ts';

export const keysPath = '/integrations/keys';

/** `dk_live_…x7Qa`: which key it is, and not what it is. Of one made before its end was kept, how it begins. */
export const keyMark = (c: ConsoleContext, { last_characters: end }: ApiKey): string =>
  `${tokenPrefix(c.get('core').environment)}…${end ?? ''}`;

/** Why a key is refused; undefined while it is taken. */
export function endOf(
  c: ConsoleContext,
  { revoked_at: revoked, expires_at: expires }: ApiKey,
): Markup | undefined {
  const text = integrationSay(c.get('language'));
  if (revoked !== null) return badge(text('revokedSince', { moment: momentText(c, revoked) }), 'bad');
  const isPast = expires !== null && Date.parse(expires) <= c.get('core').clock.now().getTime();
  return isPast ? badge(text('expiredSince', { moment: momentText(c, expires) }), 'warning') : undefined;
}

/** One key: which it is, what it may do, how it is used, how to try it, and what hangs on it. */
export async function keyPage(c: ConsoleContext): Promise<Response> {
  const { organization } = requireOwner(c);
  const [core, id, language] = [c.get('core'), idIn(c), c.get('language')];
  const text = integrationSay(language);
  const keys = [
    ...(await listApiKeysOf(core, organization)),
    ...(await listEndedApiKeysOf(core, organization)),
  ];
  const key = keys.find((each) => each.id === id);
  if (!key) throw notFound();
  const end = endOf(c, key);
  const steps = choices(
    linkButton(`${keysPath}/${id}/edit`, text('editAssistants'), 'secondary'),
    linkButton(`${keysPath}/${id}/revoke`, text('revoke'), 'secondary'),
  );
  const content = html`${trail(keysPath, text('keys'))}
${bar(html`${key.name}${end ? html` ${end}` : ''}${key.legacy ? html` ${badge(text('legacy'))}` : ''}`, end ? '' : steps)}
${doneNotice(c)}
${card(text('details'), facts(c, key))}
${end ? '' : await whatNow(c, key)}`;
  return page(c, { title: key.name, content });
}

function facts(c: ConsoleContext, key: ApiKey): Markup {
  const text = integrationSay(c.get('language'));
  const reach = lesserReach(sessionOf(c).assistants, assistantReach(key));
  const maker = key.by_operator === null ? undefined : key.by_operator ? text('theCommandLine') : key.owner;
  return factList([
    [text('keyMark'), html`<code>${keyMark(c, key)}</code>`],
    [text('owner'), key.owner],
    [text('madeAt'), momentOf(c, key.created_at)],
    [text('madeBy'), maker],
    [text('lastUse'), lastUse(c, key)],
    [text('expiry'), key.expires_at ? momentOf(c, key.expires_at) : quiet(text('noExpiry'))],
    [text('assistants'), assistantReachWords(c, reach)],
    [text('mayDo'), html`${accessWords(c.get('language'), key.scopes)}${scopeList(c, key.scopes)}`, 'wide'],
  ]);
}

/** A command to try the key with, and its webhooks, or how there comes to be one. */
async function whatNow(c: ConsoleContext, key: ApiKey): Promise<Markup> {
  const text = integrationSay(c.get('language'));
  const webhooks = await listWebhooksWithHealth(c.get('core'), requireOwner(c).organization);
  const own = webhooks.filter(({ made_by: by }) => by?.id === key.id);
  const item = (hook: Webhook): Markup =>
    html`<a href="${webhooksPath}/${hook.id}">${nameOf(hook)}</a> ${healthBadge(c, hook)}`;
  return html`<section class="card"><h2>${text('tryKey')}</h2><p class="quiet">${text('tryKeyAbout')}</p>
${copyable(c, { id: 'try', name: text('tryKey'), code: command(c, key.scopes, `${keyMark(c, key)}`) })}</section>
<section class="card"><h2>${text('hooksOfKey')}</h2>${
    own.length > 0 ? bulletList(own.map(item)) : html`<p class="quiet">${text('noHooksOfKey')}</p>`
  }${choices(linkButton(`${webhooksPath}/new`, withIcon('plus', text('newWebhook')), 'secondary'))}</section>`;
}

/** The page that shows a key this once: with the steps for the program that will use it, and how a test is sent. */
export function newKeyPage(
  c: ConsoleContext,
  { token, scopes }: { token: string; scopes: readonly Scope[] },
): Promise<Response> {
  const text = integrationSay(c.get('language'));
  const { origin } = c.get('core');
  const address = copyable(c, { id: 'address', name: text('baseAddress'), code: origin });
  const way = (name: string, steps: Markup): Markup =>
    html`<div class="card unfolding">${folded(html`<h3>${name}</h3>`, steps)}</div>`;
  const more = html`<h2>${text('whichProgram')}</h2>
${way('Zapier', html`<p>${text('zapierSteps')}</p>${address}`)}
${way('n8n', html`<p>${text('n8nSteps')}</p>${copyable(c, { id: 'n8n-address', name: 'n8n', code: origin })}`)}
${way('Activepieces', html`<p>${text('activepiecesSteps')}</p>${copyable(c, { id: 'activepieces-address', name: 'Activepieces', code: origin })}`)}
${way(text('anAssistant'), html`<p><a href="/integrations/assistants">${text('assistantSteps')}</a></p>`)}
${way(
  text('ownProgram'),
  html`<p>${text('ownProgramSteps')}</p>${copyable(c, { id: 'try', name: text('tryKey'), code: command(c, scopes, token) })}
<p><a href="/docs">${text('openReference')}</a></p>`,
)}
<h2>${text('thenTest')}</h2><p class="quiet">${text('thenTestAbout')}</p>
${choices(linkButton(`${webhooksPath}/new`, withIcon('plus', text('newWebhook')), 'secondary'))}`;
  return secretPage(c, {
    title: text('keyMade'),
    about: text('yourKey'),
    secret: token,
    back: keysPath,
    more,
  });
}

/** What a key is tried with: a list that it may read, else who it is. */
function command(c: ConsoleContext, scopes: readonly Scope[], key: string): string {
  const [scope] = scopes.filter((each) => each.endsWith(':read') && each !== 'users:read');
  const path =
    scope === undefined
      ? '/me'
      : `/${(scopes.includes('leads:read') ? 'leads:read' : scope).split(':')[0]}?limit=3`;
  return `curl -H 'Authorization: Bearer ${key}' '${c.get('core').origin}${basePath}${path}'`;
}
