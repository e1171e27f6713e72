import { asciiLowerCase, type FieldProblem } from '@dealkeep/contract';
import type { ValidPart } from '../../change/verb/check-input.ts';
import type { Secrets } from '../../foundations/secrets.ts';
import { placeOfSecret } from './signing-keys.ts';

/** A header that every delivery of a webhook carries. */
export interface StaticHeader {
  readonly name: string;
  readonly value: string;
}

/** As owners write it: without a value, that of before stays. */
export interface AskedHeader {
  readonly name: string;
  readonly value?: string | undefined;
}

interface WebhookRow {
  readonly organization_id: string;
  readonly id: string;
}

export const sealHeaders = (
  secrets: Secrets,
  webhook: WebhookRow,
  headers: readonly StaticHeader[],
): Buffer =>
  secrets.encrypt(
    JSON.stringify(headers.map(({ name, value }) => [name, value])),
    placeOfSecret(webhook, 'headers'),
  );

/** Throws UnreadableSecret when no key fits. */
export function openHeaders(secrets: Secrets, webhook: WebhookRow, sealed: Buffer): StaticHeader[] {
  const held: [string, string][] = JSON.parse(secrets.decrypt(sealed, placeOfSecret(webhook, 'headers')));
  return held.map(([name, value]) => ({ name, value }));
}

/** The same; none where a key of SECRETS_KEY was lost, so that owners can write them anew. */
export const readableHeaders = (
  secrets: Secrets,
  webhook: WebhookRow,
  sealed: Buffer | null,
): StaticHeader[] =>
  sealed && secrets.canDecrypt(sealed, placeOfSecret(webhook, 'headers'))
    ? openHeaders(secrets, webhook, sealed)
    : [];

/** What is wrong with headers beside each of them alone. Names are the same in either case (RFC 9110, 5.1). */
export function headerProblems(
  asked: readonly (ValidPart<AskedHeader> | undefined)[],
  former: readonly StaticHeader[],
  isRefused: (path: string) => boolean = () => false,
): FieldProblem[] {
  const kept = new Set(former.map(({ name }) => asciiLowerCase(name)));
  const met = new Set<string>();
  return asked.flatMap((header, index): FieldProblem[] => {
    if (header?.name === undefined) return [];
    const name = asciiLowerCase(header.name);
    const isRepeated = met.has(name);
    met.add(name);
    const path = `headers[${index}]`;
    if (isRepeated) return [{ path: `${path}.name`, key: 'field.duplicate' }];
    const isGiven = header.value !== undefined || isRefused(`${path}.value`) || kept.has(name);
    return isGiven ? [] : [{ path: `${path}.value`, key: 'field.required' }];
  });
}

/** What was asked for, with the values of before where none is given. */
export function headersAfter(asked: readonly AskedHeader[], former: readonly StaticHeader[]): StaticHeader[] {
  const values = new Map(former.map(({ name, value }) => [asciiLowerCase(name), value]));
  return asked.flatMap(({ name, value = values.get(asciiLowerCase(name)) }) =>
    value === undefined ? [] : [{ name, value }],
  );
}

const shownEnd = 4;
/** Of a shorter one, its end would tell too much. */
const endShownFrom = 12;

/** A value as people see it: dots, and of a long one the last characters. */
export const maskedValue = (value: string): string =>
  `••••${value.length >= endShownFrom ? value.slice(-shownEnd) : ''}`;

/** A shorter value stands in many texts by chance. */
const hiddenFrom = 8;

/** A text of somebody who was sent the headers, without the values that it repeats. */
export const withoutValues = (text: string, headers: readonly StaticHeader[]): string =>
  headers.reduce(
    (shown, { value }) => (value.length >= hiddenFrom ? shown.replaceAll(value, maskedValue(value)) : shown),
    text,
  );
