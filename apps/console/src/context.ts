import type { IncomingMessage } from 'node:http';
import { type Language, oauthPaths, type RecordName, type Text } from '@dealkeep/contract';
import type { Core } from '@dealkeep/core';
import { invitationPath, type Session } from '@dealkeep/core/accounts';
import {
  openForm,
  receiveForm,
  receiveUpload,
  type SentForm,
  signedInForm,
  type Upload,
} from '@dealkeep/core/change';
import type { Arrival } from '@dealkeep/core/foundations';
import { lastForwarded } from '@dealkeep/core/identity';
import type { Context } from 'hono';
import type { Icon } from './frame/icons.ts';

/** What the log is to tell of a request, as whoever serves the console passes it on. */
interface RequestStory {
  readonly id: string;
  credential?: string;
  organization?: string;
  code?: string;
}

/** What every page knows of a kind of records, so that it can lead there and tell of it. */
export interface ListedKind {
  readonly resource: RecordName;
  /** Below the origin, as in `app_url`. */
  readonly path: string;
  /** What stands for these records wherever kinds are mixed. */
  readonly icon: Icon;
  /** Where the navigation has it. */
  readonly group: 'sales' | 'work' | 'shop';
  /** Pressed after `g`, leads to the list. */
  readonly key?: string;
  /** One of them as the object of a sentence: `the booking`. */
  readonly object: Text;
}

/** What every page is given. */
export interface ConsoleEnvironment {
  /** Empty, or absent altogether, where a request did not come through Node's server. */
  Bindings: { incoming?: IncomingMessage; story?: RequestStory };
  Variables: {
    core: Core;
    /** Every kind of records. */
    kinds: readonly ListedKind[];
    language: Language;
    /** Null where nobody is signed in. */
    session: Session | null;
    /** The form that was sent, once somebody asked for it. */
    form: Promise<URLSearchParams> | undefined;
    /** The form with a file, likewise. */
    upload: Promise<Upload> | undefined;
    /** The body of the form, which is held until it is answered. */
    arrival: Arrival | undefined;
  };
}

export type ConsoleContext = Context<ConsoleEnvironment>;

/** The session of a page that asks for one; the guard in front of it has seen to that. */
export function sessionOf(c: ConsoleContext): Session {
  const session = c.get('session');
  if (!session) throw new Error('A page that needs a session is not behind the guard');
  return session;
}

/** Pages that a stranger's form can reach are small for everybody. */
const openPaths: readonly string[] = ['/sign-in', invitationPath, oauthPaths.authorize];

/** The fields of the form that was sent, received once. Raises BAD_REQUEST for one that is too large or none. */
export function receivedForm(c: ConsoleContext): Promise<URLSearchParams> {
  const known = c.get('form');
  if (known) return known;
  const isOpen = !c.get('session') || openPaths.includes(c.req.path);
  const form = receiveForm(sentForm(c), isOpen ? openForm : signedInForm);
  c.set('form', form);
  return form;
}

/** The pages that files are sent to; all other forms hold none. */
export const isUploadPath = (path: string): boolean => /^\/[a-z]+\/import$/.test(path);

/** The file that was sent with its form, received once. Raises VALIDATION_ERROR for one that is too large. */
export function receivedUpload(c: ConsoleContext): Promise<Upload> {
  const known = c.get('upload');
  if (known) return known;
  const upload = receiveUpload(sentForm(c));
  c.set('upload', upload);
  return upload;
}

/** What was sent, counted for the session, or for where a stranger sends it from. */
function sentForm(c: ConsoleContext): SentForm {
  const session = c.get('session');
  const arrival = c
    .get('core')
    .reception.begin(
      session
        ? { credential: session.csrfToken, organization: session.organization.id }
        : { address: addressOf(c) },
    );
  c.set('arrival', arrival);
  return { contentType: c.req.header('content-type'), body: c.req.raw.body, arrival };
}

/**
 * Where a request comes from: with `TRUST_PROXY` what the proxy in front wrote down, else the other end of the
 * connection. Undefined where neither is known.
 */
const addressOf = (c: ConsoleContext): string | undefined =>
  (c.get('core').trustProxy ? lastForwarded(c.req.header('x-forwarded-for')) : undefined) ??
  c.env?.incoming?.socket.remoteAddress;
