/** An answer of the API that is not a success, or no answer, in words for the person at the workflow. */
export class ApiFailure extends Error {
  /** What to do about it. */
  readonly description: string | undefined;
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  /** The API's error code. */
  readonly code: string | undefined;

  constructor(failure: { message: string; description?: string; status?: number; code?: string }) {
    super(failure.message);
    this.name = 'ApiFailure';
    this.description = failure.description;
    this.status = failure.status;
    this.code = failure.code;
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
