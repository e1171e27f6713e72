import { timingSafeEqual } from 'node:crypto';
import { canonicalText } from './canonical.ts';
import type { Arguments, Call } from './tool.ts';

/** How long somebody may think about it. */
export const minutesToConfirm = 10;

/** What a confirmation is for. */
export interface Confirmed {
  readonly tool: string;
  readonly given: Arguments;
}

/**
 * The code by which somebody confirms what they were told would happen: when it ends, the tag of the record as they
 * were told of it (empty where they were told nothing of it), and a signature over these, the credential, the tool
 * and the arguments. Every process can check it, so none has to remember it.
 */
export function confirmationFor(call: Call, what: Confirmed, tag: string): string {
  const ends = Math.floor(call.core.clock.now().getTime() / 1000) + minutesToConfirm * 60;
  const [signature = Buffer.alloc(0)] = call.core.secrets.signatures(signed(call, what, { tag, ends }));
  return [ends.toString(36), tag, signature.toString('base64url')].join('.');
}

/** What a code says; `forged` where we did not make it for this credential, tool and arguments. */
export function readConfirmation(
  call: Call,
  what: Confirmed,
  code: string,
): 'forged' | 'ended' | { readonly tag: string } {
  const [end = '', tag = '', signature = ''] = code.split('.');
  const ends = Number.parseInt(end, 36);
  const given = Buffer.from(signature, 'base64url');
  const isOurs = call.core.secrets
    .signatures(signed(call, what, { tag, ends }))
    .some((each) => each.length === given.length && timingSafeEqual(each, given));
  // Only the one text that we gave: what is confirmed is done once for each text.
  if (!isOurs || [ends.toString(36), tag, given.toString('base64url')].join('.') !== code) return 'forged';
  return ends * 1000 <= call.core.clock.now().getTime() ? 'ended' : { tag };
}

const signed = (
  { credential }: Call,
  { tool, given }: Confirmed,
  { tag, ends }: { tag: string; ends: number },
): string =>
  `confirmation of an assistant\n${canonicalText([credential.organization.id, credential.id, tool, given, tag, ends])}`;
