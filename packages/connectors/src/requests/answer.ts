import { type ApiRecord, isApiRecord } from '../records/api-record.ts';

/** What the API answered: the status and the parsed body, undefined when there was none. */
export interface Answer {
  readonly status: number;
  readonly content: unknown;
}

export interface Page {
  readonly items: readonly ApiRecord[];
  /** Where the next page begins; undefined on the last one. */
  readonly nextCursor: string | undefined;
}

/** The record of an answer `{data: {...}}`; the connector's `Api` has seen to it that there is one. */
export function recordIn(answer: Answer): ApiRecord {
  const data = isApiRecord(answer.content) ? answer.content['data'] : undefined;
  if (!isApiRecord(data)) throw new Error('The answer holds no record.');
  return data;
}

/**
 * The records of an answer `{data: [...], next_cursor, has_more}`; the connector's `Api` has seen to it that there
 * are.
 */
export function pageIn(answer: Answer): Page {
  const content = isApiRecord(answer.content) ? answer.content : {};
  const { data, next_cursor: cursor } = content;
  if (!Array.isArray(data)) throw new Error('The answer holds no list.');
  return {
    items: data.filter(isApiRecord),
    nextCursor: typeof cursor === 'string' && content['has_more'] === true ? cursor : undefined,
  };
}
