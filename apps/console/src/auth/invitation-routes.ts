import { errorStatus } from '@dealkeep/contract';
import {
  acceptAsNewUser,
  acceptAsSignedIn,
  acceptBySigningIn,
  endSession,
  findInvitation,
  invitationPath,
  type OpenInvitation,
} from '@dealkeep/core/accounts';
import { Problem } from '@dealkeep/core/foundations';
import type { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { type ConsoleContext, type ConsoleEnvironment, receivedForm } from '../context.ts';
import { messagePage } from '../frame/plain-page.ts';
import { speakLanguageOf } from '../language.ts';
import {
  clearSessionCookie,
  readKnownBrowser,
  readSessionCookie,
  writeKnownBrowser,
  writeSessionCookie,
} from './cookies.ts';
import { clientOf, originOf } from './guard.ts';
import { invitationPage, type WayIn } from './invitation-page.ts';
import { authSay } from './texts.ts';

/** Where the link of an invitation leads: it is accepted here, with or without a session. */
export function invitationRoutes(app: Hono<ConsoleEnvironment>): void {
  app.get(invitationPath, (c) => {
    const token = c.req.query('token') ?? '';
    return withInvitation(c, token, (invitation) => invitationPage(c, { token, invitation }));
  });
  app.post(invitationPath, async (c) => {
    const form = await receivedForm(c);
    const textOf = (name: string): string => form.get(name) ?? '';
    const given = { token: textOf('token'), name: textOf('name'), password: textOf('password') };
    return withInvitation(c, given.token, (invitation) => {
      const way = textOf('do');
      if (way === 'leave') return leave(c, given.token);
      if (way === 'join') return join(c, given.token);
      return enter(c, { ...given, invitation, way: way === 'sign_in' ? 'sign_in' : 'begin' });
    });
  });
}

/** Says on a page that an invitation has ended, or that its address belongs to the organization already. */
async function withInvitation(
  c: ConsoleContext,
  token: string,
  work: (invitation: OpenInvitation) => Response | Promise<Response>,
): Promise<Response> {
  try {
    const invitation = await findInvitation(c.get('core'), token, c.get('session'));
    if (!c.get('session')) speakLanguageOf(c, invitation.language);
    return await work(invitation);
  } catch (error) {
    const isEnded = error instanceof Problem && error.key === 'invitation.ended';
    const isMember = error instanceof Problem && error.key === 'invitation.member';
    if (!isEnded && !isMember) throw error;
    const language = c.get('language');
    const title = authSay(language)(isEnded ? 'invitationEnded' : 'refusedTitle');
    const { message } = error.body(language).error;
    return messagePage(c, { title, sentence: message }, errorStatus[error.code]);
  }
}

/** Signs out who is signed in with another address, and shows the invitation again. */
async function leave(c: ConsoleContext, token: string): Promise<Response> {
  await endFormerSession(c);
  clearSessionCookie(c);
  return c.redirect(`${invitationPath}?${new URLSearchParams({ token })}`, 303);
}

async function join(c: ConsoleContext, token: string): Promise<Response> {
  const session = c.get('session');
  // The session ended while the page was open: it is asked again how to come in.
  if (!session) return c.redirect(`${invitationPath}?${new URLSearchParams({ token })}`, 303);
  writeSessionCookie(c, await acceptAsSignedIn(c.get('core'), token, session));
  return c.redirect('/', 303);
}

interface Entering {
  readonly token: string;
  readonly invitation: OpenInvitation;
  readonly way: WayIn;
  readonly name: string;
  readonly password: string;
}

async function enter(
  c: ConsoleContext,
  { token, invitation, way, name, password }: Entering,
): Promise<Response> {
  const core = c.get('core');
  const userAgent = c.req.header('user-agent');
  try {
    const { token: session, knownBrowser } = await (way === 'begin'
      ? acceptAsNewUser(core, token, { name, password, userAgent, from: originOf(c) })
      : acceptBySigningIn(core, token, {
          password,
          userAgent,
          knownBrowser: readKnownBrowser(c),
          client: clientOf(c),
          from: originOf(c),
        }));
    await endFormerSession(c);
    writeSessionCookie(c, session);
    writeKnownBrowser(c, knownBrowser);
    return c.redirect('/', 303);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.code === 'RATE_LIMITED') c.header('Retry-After', String(error.values['seconds']));
    const status = errorStatus[error.code] as ContentfulStatusCode;
    return invitationPage(c, { token, invitation, refused: { way, name, problem: error } }, status);
  }
}

/** The browser forgets the session that it had, so nobody else shall go on with it. */
async function endFormerSession(c: ConsoleContext): Promise<void> {
  const former = readSessionCookie(c);
  if (former !== undefined) await endSession(c.get('core'), former, originOf(c));
}

const refusals: readonly string[] = ['VALIDATION_ERROR', 'UNAUTHORIZED', 'RATE_LIMITED'];

const isRefusal = (error: unknown): error is Problem =>
  error instanceof Problem && refusals.includes(error.code);
