import type { ErrorCode, FieldError } from '@dealkeep/contract';
import type { Answer, ApiClient } from '@dealkeep/testing';

/** What became of one item. */
export interface ItemResult {
  index: number;
  status: number;
  data?: Record<string, unknown> & { id: string };
  error?: { code: ErrorCode; message: string; detail?: { fields?: FieldError[]; ids?: string[] } };
}

export interface SentBatch {
  status: number;
  answer: Answer<unknown>;
  /** Of an answer 200. */
  results: ItemResult[];
}

export async function sendBatch(
  api: ApiClient,
  resource: string,
  operation: string,
  items: readonly unknown[],
  key?: string,
): Promise<SentBatch> {
  const answer = await api.send('POST', `/${resource}/batch`, {
    json: { operation, items },
    headers: key === undefined ? {} : { 'Idempotency-Key': key },
  });
  return {
    status: answer.status,
    answer,
    results: answer.status === 200 ? JSON.parse(answer.text).data : [],
  };
}

/** The failing fields of an item: codes by path. */
export const fieldsOf = ({ error }: ItemResult): Record<string, string> =>
  Object.fromEntries(error?.detail?.fields?.map(({ path, code }) => [path, code]) ?? []);

export const many = <Item>(count: number, item: (number: number) => Item): Item[] =>
  Array.from({ length: count }, (_, number) => item(number));
