import { oauthPaths } from '@dealkeep/contract';
import { invitationPath, openForm, receiveForm, signedInForm } from '@dealkeep/core';
import type { ConsoleContext } from './context.ts';

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
