/** What is known of a span. Neither what people have entered nor anything secret: names, ids, numbers and codes. */
export type SpanAttributes = Readonly<Record<string, string | number>>;

/** What a span begins with. */
export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
  /**
   * What it belongs to: the caller's trace, as the header of W3C Trace Context says, or an event, whose trace each
   * process knows by its id. Below what runs when absent.
   */
  readonly parent?: { readonly traceparent: string | undefined } | { readonly event: string };
}

/** A span that has begun. */
export interface OpenSpan {
  readonly traceId: string;
  /** The header by which somebody else goes on with its trace. */
  readonly traceparent: string;
  end(outcome?: SpanOutcome): void;
}

/** How a span ended. */
export interface SpanOutcome {
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  /** It failed by a fault of ours or of somebody whom we asked: a code, never a message, which may quote data. */
  readonly fault?: string;
}

/** Tells somewhere what this process does and how long each part takes. */
export interface Tracing {
  begin(start: SpanStart): OpenSpan;
  /** Whether something runs that a span would be below. */
  readonly isWithin: boolean;
  /** Runs work; what begins meanwhile is below the span. */
  within<Result>(span: OpenSpan, work: () => Result): Result;
  /** An event was written, by what runs: its trace begins, with a link to this one. */
  eventBegan(id: string, type: string): void;
}

/** Undefined unless the operator has asked for it: all that it then costs is to look. */
export let tracing: Tracing | undefined;

export const traceBy = (given: Tracing | undefined): void => {
  tracing = given;
};

/** Runs work as a span of its own. A refusal that the caller is told, told by `refusalOf`, is no fault. */
export async function inSpan<Result>(
  by: Tracing,
  start: SpanStart,
  { work, refusalOf }: { work: () => Promise<Result>; refusalOf: (error: unknown) => string | undefined },
): Promise<Result> {
  const span = by.begin(start);
  try {
    const result = await by.within(span, work);
    span.end();
    return result;
  } catch (error) {
    const refusal = refusalOf(error);
    span.end(
      refusal === undefined ? { fault: faultOf(error) } : { attributes: { 'dealkeep.refusal': refusal } },
    );
    throw error;
  }
}

/** The code of an error, such as PostgreSQL's, else its class. */
export function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
