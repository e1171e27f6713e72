import {
  isJson,
  isLost,
  isPassingFailure,
  isSuccess,
  type Lost,
  type Outcome,
  type PreparedRequest,
  paceDelay,
  prepareRequest,
  type Received,
  sendPersistently,
} from '@dealkeep/client/transport';
import {
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IPollFunctions,
  type IWebhookFunctions,
  sleep,
} from 'n8n-workflow';
import { type Authentication, authenticationOf, credentialType } from '../authentication.ts';
import type { ApiFailure } from '../failure.ts';
import { userAgent } from '../generated/user-agent.ts';
import { type ApiFields, valueAt } from '../record.ts';
import type { Field } from '../tables.ts';
import { apiRoot, isBelowAPath } from './base-url.ts';
import { connectionFailure } from './connection-failure.ts';
import {
  describeFailure,
  notAnAnswer,
  ofRecord,
  outsideTheApi,
  redirected,
  unreachable,
} from './describe-failure.ts';
import { gone } from './gone.ts';
import type { Patience } from './patience.ts';

export type ApiContext =
  | IExecuteFunctions
  | ILoadOptionsFunctions
  | IHookFunctions
  | IWebhookFunctions
  | IPollFunctions;

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the API root. */
  readonly path: string;
  /** Values by several names (custom fields) stand in an object. */
  readonly query?: ApiFields;
  readonly body?: unknown;
  /** Sent with a POST, the same on every repetition. */
  readonly idempotencyKey?: string;
  /** With which it is made anew, where the first key is of another request or of one that has failed. */
  readonly keyAnew?: string;
  /** Told when the answer is one that was given before. */
  readonly onReplay?: () => void;
  /** As how many requests it counts; one when absent. */
  readonly counts?: number;
  /** A record that does not exist counts as a success; the answer is `gone`. */
  readonly mayBeGone?: boolean;
  /** For the labels in error messages. */
  readonly fields?: readonly Field[];
  /** The label of the record that the path names. */
  readonly recordLabel?: string;
}

/** The API as a node reaches it: with the node's credential, at the limit's pace, repeating what may be repeated. */
export class DealkeepApi {
  readonly #context: ApiContext;
  readonly #patience: Patience;
  readonly #progress: () => string;
  readonly #authentication: Authentication;
  /** The headers of the last answer, which say how much of the rate limit is left. */
  #header: Received['header'] = () => undefined;

  /** @param progress what is done so far, for the log entries about waiting */
  constructor(context: ApiContext, patience: Patience, progress: () => string = () => '') {
    this.#context = context;
    this.#patience = patience;
    this.#progress = progress;
    this.#authentication = authenticationOf(context);
  }

  /**
   * The body of a success; undefined where the API answers nothing.
   *
   * @throws {ApiFailure} in words for the person at the workflow
   */
  async request(request: ApiRequest): Promise<unknown> {
    const credentials = await this.#context.getCredentials(credentialType(this.#authentication));
    const root = apiRoot(credentials['baseUrl']);
    let { keyAnew, ...asked } = request;
    for (;;) {
      const outcome = await this.#send(root, asked);
      const isReplay = !isLost(outcome) && outcome.header('idempotent-replayed') === 'true';
      if (isReplay) request.onReplay?.();
      if (isComplete(outcome)) return outcome.content;
      const failure = this.#failureIn(root, outcome, request);
      if (keyAnew === undefined || !(isReplay || failure.code === 'IDEMPOTENCY_KEY_REUSED')) {
        if (request.mayBeGone && failure.code === 'NOT_FOUND') return gone;
        throw failure;
      }
      asked = { ...asked, idempotencyKey: keyAnew };
      keyAnew = undefined;
    }
  }

  /** What an answer that is no success means, also of one item of a batch. */
  failureOf(
    status: number,
    body: unknown,
    { fields, recordLabel }: Pick<ApiRequest, 'fields' | 'recordLabel'>,
  ): ApiFailure {
    const failure = describeFailure(status, body, this.#authentication, fields);
    return status === 404 && recordLabel !== undefined && failure.code !== undefined
      ? ofRecord(recordLabel, failure)
      : failure;
  }

  /** Sends a request, at the pace of the limit, until it is answered for good. */
  async #send(root: string, request: ApiRequest): Promise<Outcome<ApiFailure>> {
    await this.#wait(paceDelay(this.#header, request.counts), 'the rate limit is nearly used up');
    const headers = { 'Accept-Language': 'en', 'User-Agent': userAgent };
    const prepared = prepareRequest({ ...request, root, headers });
    return sendPersistently({
      send: () => this.#attempt(root, prepared),
      method: request.method,
      plan: this.#patience,
      clock: { now: Date.now, random: Math.random },
      pause: (milliseconds, because) =>
        this.#wait(milliseconds, this.#failureIn(root, because, request).message),
    });
  }

  #failureIn(root: string, outcome: Outcome<ApiFailure>, request: ApiRequest): ApiFailure {
    if (isLost(outcome)) return outcome.lost;
    const { status, header, content } = outcome;
    if (isSuccess(status)) return notAnAnswer();
    if (status < 400) return redirected(root, header('location'));
    const failure = this.failureOf(status, content, request);
    return status === 404 && isBelowAPath(root) ? outsideTheApi(failure) : failure;
  }

  /** One exchange: the answer whatever its status, or why there was none. */
  async #attempt(root: string, request: PreparedRequest): Promise<Outcome<ApiFailure>> {
    const options: IHttpRequestOptions = {
      // Its body is a text: n8n drops an empty object, and a repetition must have the very same bytes.
      ...request,
      returnFullResponse: true,
      // A redirect would make a GET of a POST.
      disableFollowRedirect: true,
      // n8n renews the token of a connection when a 401 is thrown.
      ignoreHttpStatusErrors: this.#authentication === 'oAuth2' ? { ignore: true, except: [401] } : true,
      timeout: this.#patience.answerLimit,
    };
    try {
      const { statusCode, headers, body } = await this.#context.helpers.httpRequestWithAuthentication.call(
        this.#context,
        credentialType(this.#authentication),
        options,
      );
      this.#header = (name) => headers[name];
      return { status: statusCode, header: this.#header, content: body };
    } catch (error) {
      return this.#withoutAnswer(root, error);
    }
  }

  #withoutAnswer(root: string, error: unknown): Lost<ApiFailure> {
    const ended = this.#authentication === 'oAuth2' ? connectionFailure(error) : undefined;
    if (ended) return { lost: ended, isPassing: false };
    // The token endpoint is not available, although the API itself would answer.
    const status = Number(valueAt(error, 'httpCode'));
    if (status >= 500) {
      return { lost: describeFailure(status, undefined, this.#authentication), isPassing: true };
    }
    const code = systemCode(error);
    // Without a code it was n8n that refused to send.
    return { lost: unreachable(root, code, error), isPassing: code !== undefined && isPassingFailure(code) };
  }

  async #wait(milliseconds: number, reason: string): Promise<void> {
    if (milliseconds === 0) return;
    const node = this.#context.getNode().name;
    const seconds = Math.ceil(milliseconds / 1000);
    this.#context.logger.info(`${node}${this.#progress()} waits ${seconds} s: ${reason}`);
    await sleep(milliseconds);
  }
}

/** A success with JSON in it, or with nothing where nothing was promised. */
const isComplete = (outcome: Outcome<unknown>): outcome is Received =>
  !isLost(outcome) && isSuccess(outcome.status) && (outcome.status === 204 || isJson(outcome.content));

/** The code that Node.js gives a failed connection, wherever n8n has put it. */
function systemCode(error: unknown): string | undefined {
  for (const path of ['code', 'cause.code', 'cause.cause.code', 'errorResponse.code']) {
    const code = valueAt(error, path);
    if (typeof code === 'string') return code;
  }
  return undefined;
}
