import { isDocumentAddress } from '@dealkeep/core/accounts';
import { html } from 'hono/html';
import type { ConsoleContext } from '../context.ts';
import { messagePage, plainPage } from '../frame/plain-page.ts';
import { linkButton } from '../markup.ts';
import { authSay } from './texts.ts';

/** Where an owner registers an assistant for the organization. */
export const registerAssistantPath = '/integrations/apps/register';

/**
 * What somebody sees whose assistant may not ask them: it is not registered, or only for other organizations. Its
 * address is shown as text and fetched by nobody; only one that can be registered is told on.
 */
export function unregisteredPage(
  c: ConsoleContext,
  { clientId, elsewhere = false }: { clientId: string; elsewhere?: boolean },
): Promise<Response> {
  const text = authSay(c.get('language'));
  if (!isDocumentAddress(clientId)) {
    const sentence = text(elsewhere ? 'unregisteredElsewhere' : 'consentUnknownApp');
    return messagePage(c, { title: text('consentRefusedTitle'), sentence }, 400);
  }
  const { host } = new URL(clientId);
  const isOwner = c.get('session')?.user.permissions === 'owner';
  const form = `${registerAssistantPath}?${new URLSearchParams({ metadata_url: clientId })}`;
  const content = html`
<p>${text('unregisteredSays', { host })}</p>
<p><strong>${text('unregisteredOnlyOwn')}</strong></p>
<h2>${text('unregisteredOwner')}</h2>
<p>${text(isOwner ? 'unregisteredYou' : 'unregisteredAskOwner')}</p>
<p><code>${clientId}</code></p>
${isOwner ? html`<p>${linkButton(form, text('unregisteredRegister'))}</p>` : ''}
<h2>${text('unregisteredOperator')}</h2>
<p>${text('unregisteredAskOperator')}</p>
<pre>npx dealkeep oauth-apps create --metadata-url ${clientId}</pre>`;
  return plainPage(c, { title: text('unregisteredTitle', { host }), content }, 400);
}
