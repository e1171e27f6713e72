import type { IncomingMessage } from 'node:http';
import { type Language, oauthPaths } from '@dealkeep/contract';
import {
  type Core,
  invitationPath,
  openForm,
  receiveForm,
  receiveUpload,
  type Session,
  signedInForm,
  type Upload,
} from '@dealkeep/core';
import type { Context } from 'hono';

/** What the log is to tell of a request, as whoever serves the console passes it on. */
interface RequestStory {
  readonly id: string;
  credential?: string;
  organization?: string;
  code?: string;
}

/** What every page is given. */
export interface ConsoleEnvironment {
  /** Empty, or absent altogether, where a request did not come through Node's server. */
  Bindings: { incoming?: IncomingMessage; story?: RequestStory };
  Variables: {
    core: Core;
    language: Language;
    /** Null where nobody is signed in. */
    session: Session | null;
    /** The form that was sent, once somebody asked for it. */
    form: Promise<URLSearchParams> | undefined;
    /** The form with a file, likewise. */
    upload: Promise<Upload> | undefined;
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
  const sent = { contentType: c.req.header('content-type'), body: c.req.raw.body };
  const form = receiveForm(sent, isOpen ? openForm : signedInForm);
  c.set('form', form);
  return form;
}

/** The pages that files are sent to; all other forms hold none. */
export const isUploadPath = (path: string): boolean => /^\/[a-z]+\/import$/.test(path);

/** The file that was sent with its form, received once. Raises VALIDATION_ERROR for one that is too large. */
export function receivedUpload(c: ConsoleContext): Promise<Upload> {
  const known = c.get('upload');
  if (known) return known;
  const upload = receiveUpload({ contentType: c.req.header('content-type'), body: c.req.raw.body });
  c.set('upload', upload);
  return upload;
}
