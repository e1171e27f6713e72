import { type ApiFieldError, apiErrorIn } from '@dealkeep/client/transport';
import type { Authentication } from '../authentication.ts';
import { ApiFailure } from '../failure.ts';
import { valueAt } from '../record.ts';
import type { Field } from '../tables.ts';

/** What to do about an error code. Codes that the API's own message explains enough are absent. */
const mends: Readonly<Record<string, string>> = {
  UNAUTHORIZED:
    'The API key was revoked, has expired or was copied incompletely. Create a new key in Dealkeep and save it in the credential.',
  WRONG_ENVIRONMENT:
    'Keys that start with dk_test_ work only in the test environment, keys that start with dk_live_ only outside it. Change the key or the base URL of the credential.',
  PAYMENT_REQUIRED:
    'The subscription of the organization is not active. Renew it in Dealkeep, then run the workflow again.',
  FORBIDDEN: 'The key lacks a scope. Create a key that has it, or use the preset for automation platforms.',
  LEGACY_KEY_NOT_ALLOWED: 'This is a key of an older system. Create a new key in Dealkeep.',
  ROLE_PERMISSION_MISSING: 'Ask an owner of the organization to give your role this permission.',
  ROLE_SCOPE_LIMITED:
    'Your role sees assigned records only. Ask an owner of the organization for a role that sees all records.',
  TOKEN_OWNER_INACTIVE: 'The person behind the key is not active. Use a key of an active person.',
  NOT_FOUND:
    'The record was deleted, or its ID belongs to another organization or to another kind of record.',
  VALIDATION_ERROR: 'Correct the fields that are named, or the expressions that give their values.',
  IDEMPOTENCY_KEY_REUSED:
    'The node repeated a request with other values, as expressions such as $now give on each try. The first request may have succeeded: look for the record before you run the workflow again.',
  WEBHOOK_URL_INVALID:
    'Dealkeep delivers to https addresses. Set WEBHOOK_URL of n8n to its public https address, or let the operator of Dealkeep add it to WEBHOOK_ALLOWED_TARGETS.',
  WEBHOOK_URL_BLOCKED:
    'Dealkeep does not deliver to private addresses. Set WEBHOOK_URL of n8n to its public https address, or let the operator of Dealkeep add it to WEBHOOK_ALLOWED_TARGETS.',
  LIMIT_EXCEEDED:
    'The organization has as many webhooks as it may have. Unpublish workflows that are not needed, or ask the operator of Dealkeep for a higher limit.',
  RATE_LIMITED:
    'The organization sends more requests than its limit. Let fewer workflows run at a time, or ask the operator of Dealkeep for a higher limit.',
};

/** What is different where a person has connected their account. */
const connectionMends: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Open the credential and connect the account again.',
  FORBIDDEN:
    'The connection lacks a scope. Connect the account again with it; the application may have to be registered with it first.',
  TOKEN_OWNER_INACTIVE:
    'The person who connected the account is not active. Let an active person connect theirs.',
};

const wrongAddress =
  'The base URL of the credential must be the address of your Dealkeep, e.g. https://crm.example.com. Check the protocol (https or http), the host and the path.';

/**
 * An answer that is not a success, in the API's own words, with the labels of the fields it complains about.
 *
 * @param authentication decides what mends a refused credential
 * @param fields the fields that the request was made of, for their labels
 */
export function describeFailure(
  status: number,
  body: unknown,
  authentication: Authentication,
  fields: readonly Field[] = [],
): ApiFailure {
  const error = apiErrorIn(body);
  if (!error) return new ApiFailure({ status, ...notOfTheApi(status) });
  const { code, message, detail, fields: failing } = error;
  const description =
    (authentication === 'oAuth2' ? connectionMends[code] : undefined) ??
    mends[code] ??
    whichMatch(detail) ??
    (status >= 500 ? 'The service failed. Try again in a while.' : undefined);
  return new ApiFailure({
    status,
    code,
    detail,
    message: withLabels(message, detail, failing, fields),
    fields: failing.map(({ path }) => path),
    ...(description === undefined ? {} : { description }),
  });
}

/** Which records "create or update" cannot decide between. */
function whichMatch(detail: unknown): string | undefined {
  const ids = valueAt(detail, 'ids');
  return Array.isArray(ids) && ids.length > 0
    ? `These records match: ${ids.map(String).join(', ')}. Merge them in Dealkeep, match by another field, or use Update with the right one.`
    : undefined;
}

/** The failing fields with their labels where there are any, else the message with the parameter's label. */
function withLabels(
  message: string,
  detail: unknown,
  failing: readonly ApiFieldError[],
  fields: readonly Field[],
): string {
  if (failing.length > 0) {
    return failing
      .map((each) => {
        const label = labelOf(each.path, fields);
        return label === '' ? each.message : `${label}: ${each.message}`;
      })
      .join(' ');
  }
  const parameter = valueAt(detail, 'parameter');
  return typeof parameter === 'string' ? `${labelOf(parameter, fields)}: ${message}` : message;
}

/** `items[1].unit_price` as `Item 2 → Unit Price`; a name that is not in the table stays as it is. */
export function labelOf(path: string, fields: readonly Field[]): string {
  if (path === '') return '';
  const labels: string[] = [];
  let among: readonly Field[] = fields;
  for (const part of path.split('.')) {
    const { name = part, index } = /^(?<name>[^[]+)(?:\[(?<index>\d+)\])?$/.exec(part)?.groups ?? {};
    const field = among.find((each) => each.name === name);
    const label = field?.label ?? name;
    labels.push(index === undefined ? label : `${label} ${Number(index) + 1}`);
    among = field?.fields ?? [];
  }
  return labels.join(' → ');
}

/** Something else than Dealkeep answered: a proxy, a web page, another service. */
function notOfTheApi(status: number): { message: string; description: string } {
  if (status >= 500) {
    return {
      message: `Dealkeep is not available (HTTP status ${status})`,
      description: 'The service or a proxy before it failed. Try again in a while.',
    };
  }
  return {
    message: `Dealkeep did not answer at this address (HTTP status ${status})`,
    description: wrongAddress,
  };
}

/** An address of Dealkeep, but with a path too many: what is missing there is the API, not a record. */
export const outsideTheApi = (failure: ApiFailure): ApiFailure =>
  failure.saying({
    message: `Dealkeep answers at this address, but its API does not: ${failure.message}`,
    description: wrongAddress,
  });

/** The record that a path names is not there: the field in which it was chosen is named. */
export const ofRecord = (label: string, failure: ApiFailure): ApiFailure =>
  failure.saying({ message: `${label}: ${failure.message}` });

/** Something before the API sends elsewhere, usually from http to https. */
export function redirected(root: string, location: unknown): ApiFailure {
  const target = typeof location === 'string' ? location : 'another address';
  return new ApiFailure({
    message: `The address ${root} leads to ${target}`,
    description: `Requests are not sent on. ${wrongAddress}`,
  });
}

/** A success status with a body that the API never sends: usually a web page. */
export function notAnAnswer(): ApiFailure {
  return new ApiFailure({
    message: 'This address answers, but not as the Dealkeep API',
    description: wrongAddress,
  });
}

/** No answer came at all. Without a system's code it was n8n that refused to send, and says why. */
export function unreachable(root: string, code: string | undefined, error: unknown): ApiFailure {
  const known = code === undefined ? undefined : networkReasons[code];
  const reason = known ?? (error instanceof Error ? error.message : 'no answer came');
  return new ApiFailure({
    message: `Dealkeep could not be reached at ${root}: ${reason}`,
    description: 'Check that Dealkeep runs, that n8n can reach it, and the base URL of the credential.',
  });
}

const networkReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was interrupted (does it speak https, and the base URL says http?)',
  ETIMEDOUT: 'the connection timed out',
  ECONNABORTED: 'the answer took too long',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name could not be resolved',
  EPROTO: 'it does not speak https',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted (set NODE_EXTRA_CA_CERTS for n8n)',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted (set NODE_EXTRA_CA_CERTS for n8n)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted (set NODE_EXTRA_CA_CERTS for n8n)',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};
