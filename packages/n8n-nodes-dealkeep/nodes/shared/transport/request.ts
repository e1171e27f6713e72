import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IN8nHttpFullResponse,
  type IPollFunctions,
  type IWebhookFunctions,
  sleep,
} from 'n8n-workflow';
import { type Authentication, authenticationOf, credentialType } from '../authentication.ts';
import type { ApiFailure } from '../failure.ts';
import { userAgent } from '../generated/user-agent.ts';
import { isRecord, valueAt } from '../record.ts';
import type { Field } from '../tables.ts';
import { apiRoot, isBelowAPath } from './base-url.ts';
import { connectionFailure } from './connection-failure.ts';
import {
  describeFailure,
  notAnAnswer,
  ofRecord,
  outsideTheApi,
  passing,
  redirected,
  unreachable,
} from './describe-failure.ts';
import { gone } from './gone.ts';
import { Pace } from './pace.ts';
import {
  type Attempted,
  kindOfRepetition,
  type Patience,
  type Repetitions,
  retryDelay,
} from './retry-delay.ts';

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
  readonly query?: IDataObject;
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

/** What came of one attempt: the body of a success, or a failure. */
type Outcome = ({ body: unknown } | { failure: ApiFailure; attempted?: Attempted }) & {
  /** The API has given this answer before. */
  isReplay?: boolean;
};

/** The API as a node reaches it: with the node's credential, at the limit's pace, repeating what may be repeated. */
export class DealkeepApi {
  readonly #context: ApiContext;
  readonly #patience: Patience;
  readonly #progress: () => string;
  readonly #authentication: Authentication;
  readonly #pace = new Pace();

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
    const repetitions: Repetitions = { failures: 0, rateLimits: 0, twins: 0 };
    let { keyAnew, ...asked } = request;
    for (;;) {
      await this.#wait(this.#pace.delayOf(request.counts), 'the rate limit is nearly used up');
      const outcome = await this.#attempt(root, asked);
      if (outcome.isReplay) request.onReplay?.();
      if (!('failure' in outcome)) return outcome.body;
      const { failure, attempted } = outcome;
      if (keyAnew !== undefined && (outcome.isReplay || failure.code === 'IDEMPOTENCY_KEY_REUSED')) {
        asked = { ...asked, idempotencyKey: keyAnew };
        keyAnew = undefined;
        continue;
      }
      if (request.mayBeGone && failure.code === 'NOT_FOUND') return gone;
      const delay =
        attempted && retryDelay(attempted, failure.code, repetitions, this.#patience, Math.random());
      if (delay === undefined) throw failure;
      repetitions[kindOfRepetition(failure.status, failure.code)] += 1;
      await this.#wait(delay, failure.message);
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

  async #attempt(root: string, request: ApiRequest): Promise<Outcome> {
    const answer = await this.#send(root, request);
    if ('error' in answer) return this.#withoutAnswer(root, answer.error);
    const { statusCode: status, headers, body } = answer.response;
    this.#pace.observe(
      headers['x-ratelimit-limit'],
      headers['x-ratelimit-remaining'],
      headers['x-ratelimit-reset'],
    );
    const isReplay = headers['idempotent-replayed'] === 'true';
    if (status === 204) return { body: undefined, isReplay };
    if (status < 300) {
      return isRecord(body) || Array.isArray(body) ? { body, isReplay } : { failure: notAnAnswer() };
    }
    if (status < 400) return { failure: redirected(root, headers['location']) };
    const retryAfter = headers['retry-after'];
    const failure = this.failureOf(status, body, request);
    if (status === 404) return { failure: isBelowAPath(root) ? outsideTheApi(failure) : failure, isReplay };
    return {
      failure,
      isReplay,
      attempted: { status, ...(typeof retryAfter === 'string' ? { retryAfter } : {}) },
    };
  }

  #withoutAnswer(root: string, error: unknown): { failure: ApiFailure; attempted?: Attempted } {
    const ended = this.#authentication === 'oAuth2' ? connectionFailure(error) : undefined;
    if (ended) return { failure: ended };
    // The token endpoint is not available, although the API itself would answer.
    const status = Number(valueAt(error, 'httpCode'));
    if (status >= 500) {
      return { failure: describeFailure(status, undefined, this.#authentication), attempted: { status } };
    }
    const code = systemCode(error);
    const failure = unreachable(root, code, error);
    return code !== undefined && passing.has(code) ? { failure, attempted: 'no answer' } : { failure };
  }

  /** One exchange: the answer whatever its status, or why there was none. */
  async #send(
    root: string,
    request: ApiRequest,
  ): Promise<{ response: IN8nHttpFullResponse } | { error: unknown }> {
    const options: IHttpRequestOptions = {
      method: request.method,
      url: root + request.path,
      headers: {
        Accept: 'application/json',
        'Accept-Language': 'en',
        'User-Agent': userAgent,
        ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(request.idempotencyKey === undefined ? {} : { 'Idempotency-Key': request.idempotencyKey }),
      },
      // As text: n8n drops an empty object, and a repetition must have the very same bytes.
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      ...(request.query === undefined ? {} : { qs: request.query }),
      returnFullResponse: true,
      // A redirect would make a GET of a POST.
      disableFollowRedirect: true,
      // n8n renews the token of a connection when a 401 is thrown.
      ignoreHttpStatusErrors: this.#authentication === 'oAuth2' ? { ignore: true, except: [401] } : true,
      timeout: this.#patience.answerLimit,
    };
    try {
      const response: IN8nHttpFullResponse = await this.#context.helpers.httpRequestWithAuthentication.call(
        this.#context,
        credentialType(this.#authentication),
        options,
      );
      return { response };
    } catch (error) {
      return { error };
    }
  }

  async #wait(milliseconds: number, reason: string): Promise<void> {
    if (milliseconds === 0) return;
    const node = this.#context.getNode().name;
    const seconds = Math.ceil(milliseconds / 1000);
    this.#context.logger.info(`${node}${this.#progress()} waits ${seconds} s: ${reason}`);
    await sleep(milliseconds);
  }
}

/** The code that Node.js gives a failed connection, wherever n8n has put it. */
function systemCode(error: unknown): string | undefined {
  for (const path of ['code', 'cause.code', 'cause.cause.code', 'errorResponse.code']) {
    const code = valueAt(error, path);
    if (typeof code === 'string') return code;
  }
  return undefined;
}
