import {
  apiErrorIn,
  filledPath,
  isAnswer,
  isLost,
  isSuccess,
  type Outcome,
  type PreparedRequest,
  paceDelay,
  prepareRequest,
  type Received,
  type RetryClock,
  type RetryPlan,
  type Sending,
  sendPersistently,
} from '@dealkeep/client/transport';
import * as z from 'zod';
import { choiceOf } from '../dropdowns/choice.ts';
import { matchField } from '../forms/action-fields.ts';
import { InputProblem } from '../forms/input-problem.ts';
import { type ApiRecord, valueAt } from '../records/api-record.ts';
import { referenceNamed, referenceOf } from '../references.ts';
import { labelOfResource, pluralOfResource } from '../registry.ts';
import type { Answer } from './answer.ts';
import type { Api, Call } from './api.ts';
import { chooseFromList } from './describe-failure.ts';
import { type Failure, failureIn } from './failure.ts';
import { recordOfId } from './whole-record.ts';

/** So many are named; each costs a request. */
const mostNamed = 5;

/**
 * The ids of the records that "create or update" cannot choose among; none when it was refused for another reason.
 */
function matchesIn({ operation }: Call, content: unknown): readonly string[] {
  const ids = operation.kind === 'upsert' ? valueAt(content, ['error', 'detail', 'ids']) : [];
  return Array.isArray(ids) ? ids.map(String) : [];
}

/** Which records have the value that is to find one, and what to do: the API tells their ids. */
async function describeMatches(api: Api, call: Call, ids: readonly string[]): Promise<string> {
  const { resource } = call.operation;
  const matched = call.fields?.find(({ key }) => key === valueAt(call.body, [matchField]));
  const read = ids.slice(0, mostNamed).map((id) => recordOfId(api, resource, id));
  const named = (await Promise.all(read)).filter((record) => record !== undefined).map(nameAndPage(resource));
  const more = ids.length > named.length ? ` and ${ids.length - named.length} more` : '';
  const [matches, value] = [`${named.join(', ')}${more}`, matched?.label ?? 'value'];
  return `Match By: Several ${pluralOfResource(resource)} have this ${value}: ${matches}. Nothing was written. Correct these records in Dealkeep, match by another field, or choose one of them with Update ${labelOfResource(resource)}.`;
}

/** `Tatra (https://crm.example.com/companies/…)` */
const nameAndPage = (resource: string) => (record: ApiRecord) => {
  const reference = referenceNamed(resource);
  const name = reference && choiceOf(record, { ...referenceOf(reference), apart: [] }).name;
  return `${name} (${record['app_url'] ?? record['id']})`;
};

/** Where the API is, and how a connection proves itself there. */
export interface Target {
  /** The address of the API root, without a trailing slash. */
  readonly root: string;
  /** The value of the Authorization header. */
  readonly authorization: string;
}

/** How a connector waits. */
export interface Waiting {
  readonly plan: RetryPlan;
  /** No attempt begins after this moment, in milliseconds since 1970. */
  readonly latestStart: number;
  readonly clock: RetryClock & { pause(milliseconds: number): Promise<unknown> };
}

/** What a connector has of its platform: what sends, what waits, and how an error is raised there. */
export interface Platform<Loss> {
  /** Throws the platform's error for a connection without an address. */
  readonly target: () => Target;
  readonly idempotencyKey: (call: Call) => string;
  /** Sends a request once. Follows redirects nowhere, because the credentials would go along. */
  readonly send: (request: PreparedRequest) => Promise<Outcome<Loss>>;
  /** Of a call that begins now. */
  readonly waiting: () => Waiting;
  /** The platform's error where no answer came. */
  readonly lost: (loss: Loss, address: URL) => Error;
  /** The platform's error for what the API, or something else at its address, refuses. */
  readonly refused: (failure: Failure, address: URL) => Error;
  /** Hears of each call that was answered. */
  readonly answered?: (call: Call) => void;
}

/**
 * The API over a platform. What passes is tried again with the same Idempotency-Key; every other refusal is thrown.
 */
export function apiOver<Loss>(platform: Platform<Loss>): Api {
  const call = async (asked: Call): Promise<Answer> => {
    const request = requestOf(asked, platform.target(), platform.idempotencyKey(asked));
    const waiting = platform.waiting();
    const outcome = await persistently(() => platform.send(request), request.method, waiting);
    const address = new URL(request.url);
    if (isLost(outcome)) throw platform.lost(outcome.lost, address);
    const { status, content } = outcome;
    if (!isWelcome(asked, status)) {
      const failure = failureIn(outcome, asked, waiting.clock.now());
      const matches = failure.kind === 'conflict' ? matchesIn(asked, content) : [];
      if (failure.kind !== 'conflict' || matches.length === 0) throw platform.refused(failure, address);
      const message = await describeMatches({ call }, asked, matches);
      throw platform.refused({ ...failure, message }, address);
    }
    if (!isOurs(asked, outcome)) throw platform.refused({ kind: 'elsewhere', status }, address);
    platform.answered?.(asked);
    await slowDown(outcome, waiting);
    return { status, content };
  };
  return { call };
}

/**
 * Sends again what may become another outcome, as long as the plan and the time allow. The last outcome is the
 * result.
 */
export const persistently = <Loss>(
  send: () => Promise<Outcome<Loss>>,
  method: string,
  { plan, latestStart, clock }: Waiting,
  causeOf?: Sending<Loss>['causeOf'],
): Promise<Outcome<Loss>> =>
  sendPersistently({
    send,
    method,
    plan,
    latestStart,
    clock,
    pause: (milliseconds) => clock.pause(milliseconds),
    ...(causeOf ? { causeOf } : {}),
  });

/** The request of a call: the same for every attempt. */
function requestOf(call: Call, { root, authorization }: Target, idempotencyKey: string): PreparedRequest {
  const { operation, path = {}, query, body = {}, subject = 'ID' } = call;
  return prepareRequest({
    root,
    method: operation.method,
    path: filledPath(
      operation.path,
      (name) => path[name],
      () => new InputProblem(`${subject}: ${chooseFromList}`),
    ),
    query,
    body: operation.body === undefined ? undefined : body,
    idempotencyKey,
    // Platforms tell a connector nothing of the user's language, and their editors are English.
    headers: { 'Accept-Language': 'en', Authorization: authorization },
  });
}

/** True for 2xx and for what the call takes for as good. */
const isWelcome = ({ accept = [] }: Call, status: number): boolean =>
  isSuccess(status) || accept.includes(status);

/** Whether a welcome answer is the API's: a page that says hello, or another service's JSON, is not. */
function isOurs({ operation: { shape, answer } }: Call, { status, content }: Received): boolean {
  if (!isSuccess(status)) return shape === 'nothing' || apiErrorIn(content) !== undefined;
  return isAnswer(shape === 'record' && answer instanceof z.ZodArray ? 'several' : shape, content);
}

/** A step has little time, and can make several requests. */
const longestPause = 2_000;

/**
 * Waits after an answer that says how few requests are left, so that many steps at once come through without a 429.
 */
async function slowDown({ header }: Received, { latestStart, clock }: Waiting): Promise<void> {
  const pause = Math.min(paceDelay(header), longestPause);
  if (pause > 0 && clock.now() + pause <= latestStart) await clock.pause(pause);
}
