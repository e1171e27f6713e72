import {
  type ErrorBody,
  type ErrorCode,
  type FieldProblem,
  fieldError,
  type Language,
  limits,
  type MessageKey,
  message,
  messages,
} from '@dealkeep/contract';

type Values = NonNullable<FieldProblem['values']>;

/** An error that the caller is told: one of the contract's messages. Knows nothing of HTTP. */
export class Problem extends Error {
  readonly key: MessageKey;
  readonly values: Values;
  readonly detail: Readonly<Record<string, unknown>> | undefined;
  readonly fields: readonly FieldProblem[] | undefined;
  /** The field that it is about, where a code of its own says what is wrong with it. */
  readonly about: FieldProblem | undefined;
  /** Why a parameter is bad; becomes the placeholder `reason` in the caller's language. */
  readonly reason: FieldProblem | undefined;

  constructor(
    key: MessageKey,
    values: Values = {},
    more: {
      detail?: Readonly<Record<string, unknown>>;
      fields?: readonly FieldProblem[];
      about?: string;
      reason?: FieldProblem;
    } = {},
  ) {
    super(`${key} ${JSON.stringify(values)}`);
    this.name = 'Problem';
    this.key = key;
    this.values = values;
    this.detail = more.detail;
    this.fields = more.fields;
    this.about = more.about === undefined ? undefined : { path: more.about, key, values };
    this.reason = more.reason;
  }

  /** What it says of fields; empty where it is about none. */
  get ofFields(): readonly FieldProblem[] {
    return this.fields ?? (this.about ? [this.about] : []);
  }

  get code(): ErrorCode {
    return messages[this.key].code;
  }

  /** What the body of an error says of it (rule errors 1), in a language. */
  body(language: Language): { error: Omit<ErrorBody['error'], 'request_id' | 'doc_url'> } {
    const values = this.reason
      ? { ...this.values, reason: fieldError(this.reason, language).message }
      : this.values;
    const text = message(this.key, language, values);
    if (this.fields) {
      const fields = this.fields.slice(0, limits.failingFields).map((field) => fieldError(field, language));
      const truncated = this.fields.length > fields.length ? { truncated: true } : {};
      return { error: { code: this.code, message: text, detail: { fields, ...truncated } } };
    }
    return { error: { code: this.code, message: text, ...(this.detail ? { detail: this.detail } : {}) } };
  }
}

const namedFields = 20;

/** 422 with every failing field; of more than a hundred, it names so many and says that there are others. */
export function invalidFields(fields: readonly FieldProblem[]): Problem {
  const names = fields.slice(0, namedFields).map((field) => field.path || 'body');
  if (fields.length > namedFields) names.push('…');
  return new Problem('fields.invalid', { fields: names.join(', ') }, { fields });
}

/** 422 with one failing field. */
export const invalidField = (
  path: string,
  key: MessageKey,
  values?: Readonly<Record<string, string | number>>,
): Problem => invalidFields([values ? { path, key, values } : { path, key }]);

export const notFound = (): Problem => new Problem('record.not_found');

/**
 * What work was refused for, so that it can be told beside something else; undefined where it was done. Raises
 * faults.
 */
export async function refusalOf(work: () => unknown): Promise<Problem | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** 400 for a query parameter or header; `problem.path` is its name. */
export const invalidParameter = (problem: FieldProblem): Problem =>
  new Problem(
    'parameter.invalid',
    { parameter: problem.path },
    { detail: { parameter: problem.path }, reason: problem },
  );
