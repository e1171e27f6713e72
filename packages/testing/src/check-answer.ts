import { isDeepStrictEqual } from 'node:util';
import {
  apiVersion,
  type ErrorCode,
  errorStatus,
  errorsOf,
  limits,
  messages,
  type OperationDeclaration,
  operations,
  reducedFormOf,
  unreadScopeOf,
} from '@dealkeep/contract';
import * as z from 'zod';

const wholeNumber = /^\d+$/;

/**
 * Throws when an answer is not what the contract promises for this operation, or for any.
 *
 * @param writesOnly the credential may not read what it writes: of a record, fields are left out
 */
export function checkAnswer(
  method: string,
  path: string,
  status: number,
  headers: Headers,
  text: string,
  writesOnly = false,
): void {
  const operation = operationAt(method, path.replace(/\/$/, ''));
  const problem =
    headerProblem(headers) ??
    (status >= 400
      ? errorProblem(operation, status, headers, text)
      : successProblem(operation, status, headers, text, writesOnly));
  if (problem) throw new Error(`${method} ${path} answered ${status}: ${problem}\n${text}`);
}

const patterns = Object.values<OperationDeclaration>(operations).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The operation that a request means; literal paths before such with parameters. */
function operationAt(method: string, path: string): OperationDeclaration | undefined {
  const fitting = patterns.filter((each) => each.operation.method === method && each.pattern.test(path));
  return (fitting.find((each) => each.operation.path === path) ?? fitting[0])?.operation;
}

function headerProblem(headers: Headers): string | undefined {
  if (headers.get('x-service-api-version') !== apiVersion) return 'X-Service-Api-Version is missing or wrong';
  for (const name of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']) {
    if (!wholeNumber.test(headers.get(name) ?? '')) return `${name} is no whole number`;
  }
  return headers.get('x-request-id') ? undefined : 'X-Request-Id is missing';
}

/** A placeholder of any message; other braces are what the caller sent. */
const placeholder = new RegExp([...new Set(JSON.stringify(messages).match(/\{[a-z]+\}/g))].join('|'));

const errorBody = z.strictObject({
  error: z.strictObject({
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]),
    message: z.string().min(1),
    detail: z.record(z.string(), z.unknown()).optional(),
    request_id: z.string(),
    doc_url: z.url(),
  }),
});
const languages = ['en', 'sk'];
const failingFields = z.strictObject({
  fields: z
    .array(z.strictObject({ path: z.string(), code: z.string(), message: z.string().min(1) }))
    .min(1)
    .max(limits.failingFields),
  truncated: z.literal(true).optional(),
});

function errorProblem(
  operation: OperationDeclaration | undefined,
  status: number,
  headers: Headers,
  text: string,
): string | undefined {
  const parsed = errorBody.safeParse(jsonOf(headers, text));
  if (!parsed.success) return `the error has another form: ${z.prettifyError(parsed.error)}`;
  const { code, message, detail, request_id, doc_url } = parsed.data.error;
  if (errorStatus[code] !== status) return `the code ${code} belongs to the status ${errorStatus[code]}`;
  const failing = failingFields.safeParse(detail);
  const told = [message, ...(failing.success ? failing.data.fields.map((field) => field.message) : [])];
  if (told.some((each) => placeholder.test(each))) return 'a message has a placeholder that was not filled';
  if (operation && !errorsOf(operation).includes(code))
    return `${code} is not documented for ${operation.id}`;
  if (code === 'VALIDATION_ERROR' && !failing.success) return 'detail.fields is missing';
  // A stored error is that of the first request, which is the one that the log tells of.
  if (request_id !== headers.get('x-request-id') && !headers.get('idempotent-replayed')) {
    return 'request_id is not that of the header';
  }
  if (!doc_url.endsWith(`/docs#${code}`)) return `doc_url does not lead to ${code}`;
  if (!languages.includes(headers.get('content-language') ?? '')) return 'Content-Language is missing';
  if (!headers.get('vary')?.includes('Accept-Language')) return 'Vary does not name Accept-Language';
  if (status === 401 && !headers.get('www-authenticate')) return 'WWW-Authenticate is missing';
  if (
    (status === 503 || status === 429 || code === 'IDEMPOTENCY_IN_PROGRESS') &&
    !wholeNumber.test(headers.get('retry-after') ?? '')
  ) {
    return 'Retry-After is missing';
  }
  return undefined;
}

function successProblem(
  operation: OperationDeclaration | undefined,
  status: number,
  headers: Headers,
  text: string,
  writesOnly: boolean,
): string | undefined {
  if (!operation) return 'there is no such operation in the contract';
  if (!operation.statuses.some((each) => each === status)) return 'the status is not documented';
  if (status === 201 && !headers.get('location')?.includes(operation.path.replace('/upsert', '')))
    return 'Location is missing';
  if (operation.noStore === true && headers.get('cache-control') !== 'no-store')
    return 'Cache-Control is not no-store';
  if (operation.shape === 'nothing') return text === '' ? undefined : 'the body is not empty';
  const value = jsonOf(headers, text);
  const parsed = successSchema(operation, writesOnly).safeParse(value);
  if (!parsed.success) return z.prettifyError(parsed.error);
  // The contract's schemas drop keys that they do not know; here they are a fault.
  return isDeepStrictEqual(parsed.data, value) ? undefined : 'there are keys that the contract does not know';
}

/** Made once for an operation, because zod compiles each schema at its first use. */
const successSchemas = { whole: new WeakMap<object, z.ZodType>(), partly: new WeakMap<object, z.ZodType>() };

function successSchema(operation: OperationDeclaration, writesOnly: boolean): z.ZodType {
  const made = successSchemas[writesOnly ? 'partly' : 'whole'];
  const schema = made.get(operation) ?? makeSuccessSchema(operation, writesOnly);
  made.set(operation, schema);
  return schema;
}

function makeSuccessSchema(operation: OperationDeclaration, writesOnly: boolean): z.ZodType {
  const { answer, shape, endless, batches } = operation;
  const whole = answer ?? z.undefined();
  const unread = writesOnly ? unreadScopeOf(operation) : undefined;
  const partly = (record: z.ZodObject) => (unread ? reducedFormOf(record, unread) : record);
  const shown = batches ? (each: z.ZodObject) => partlyInItems(each, partly) : partly;
  const schema = unread && whole instanceof z.ZodObject ? shown(whole) : whole;
  if (shape === 'record') return z.strictObject({ data: schema });
  if (shape !== 'list') return schema;
  return z
    .strictObject({ data: z.array(schema), next_cursor: z.string().nullable(), has_more: z.boolean() })
    .refine(
      (page) => (endless || page.has_more) === (page.next_cursor !== null),
      'has_more and next_cursor disagree',
    );
}

/** The answer of a batch, in whose items are such records. */
function partlyInItems(answer: z.ZodObject, partly: (record: z.ZodObject) => z.ZodType): z.ZodType {
  const { data } = answer.shape;
  const item = data instanceof z.ZodArray ? data.element : undefined;
  if (!(item instanceof z.ZodObject)) throw new Error('A batch answers a list of results');
  const { data: records } = item.shape;
  const choice = records instanceof z.ZodOptional ? records.unwrap() : undefined;
  if (!(choice instanceof z.ZodUnion)) throw new Error('A result of a batch holds one of several records');
  const partial = choice.options.map((each) => (each instanceof z.ZodObject ? partly(each) : each));
  return answer.extend({ data: z.array(item.extend({ data: z.union(partial).optional() })) });
}

function jsonOf(headers: Headers, text: string): unknown {
  if (headers.get('content-type') !== 'application/json') return undefined;
  return JSON.parse(text);
}
