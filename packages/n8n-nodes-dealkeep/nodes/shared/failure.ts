/** An answer of the API that is not a success, or no answer, in words for the person at the workflow. */
export class ApiFailure extends Error {
  /** What to do about it. */
  readonly description: string | undefined;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  /** The API's error code. */
  readonly code: string | undefined;
  /** What the API complains about, by its own paths. */
  readonly fields: readonly string[];
  /** What the API says besides, for programs. */
  readonly detail: unknown;

  constructor(failure: {
    message: string;
    description?: string;
    status?: number;
    code?: string;
    fields?: readonly string[];
    detail?: unknown;
  }) {
    super(failure.message);
    this.name = 'ApiFailure';
    this.description = failure.description;
    this.status = failure.status;
    this.code = failure.code;
    this.detail = failure.detail;
    this.fields = failure.fields ?? [];
  }

  /** The same failure in other words. */
  saying(words: { message?: string; description?: string }): ApiFailure {
    const { description, status, code, fields, detail } = this;
    return new ApiFailure({
      message: this.message,
      fields,
      detail,
      ...(description === undefined ? {} : { description }),
      ...(status === undefined ? {} : { status }),
      ...(code === undefined ? {} : { code }),
      ...words,
    });
  }
}

/** A parameter whose value cannot be used, in words for the person at the workflow. */
export class ParameterProblem extends Error {
  readonly description: string | undefined;

  constructor(message: string, description?: string) {
    super(message);
    this.name = 'ParameterProblem';
    this.description = description;
  }
}
