// Imported by a start with OTEL_EXPORTER_OTLP_ENDPOINT alone:
// docs/decisions/0051-traces-are-loaded-when-asked-for.md.
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Log, OpenSpan, SpanOutcome, SpanStart, Tracing } from '@dealkeep/core/foundations';
import {
  type Context,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  type Sampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

interface TracingOptions {
  /** `OTEL_EXPORTER_OTLP_ENDPOINT`; headers, certificates and time limits the exporter reads by itself. */
  endpoint: string;
  version: string;
  variables: NodeJS.ProcessEnv;
  log: Log;
}

/** Tracing that hands its spans over by OTLP, and what hands over the last of them. */
export function startTracing({ endpoint, version, variables, log }: TracingOptions): {
  tracing: Tracing;
  stop(): Promise<void>;
} {
  const { root, sampler } = samplersOf(variables);
  warnSeldom(log);
  const ids = new EventIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'dealkeep',
      'service.version': version,
      'host.name': hostname(),
      'process.pid': process.pid,
    }).merge(detectResources({ detectors: [envDetector] })),
    sampler,
    idGenerator: ids,
    // A collector that is away costs memory up to 2,048 spans and no time; what is more is dropped.
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` }),
        scheduledDelayMillis: 1000,
        exportTimeoutMillis: 5000,
      }),
    ],
  });
  return {
    tracing: new OpenTelemetry(provider.getTracer('dealkeep', version), { ids, root }),
    stop: () => provider.shutdown(),
  };
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

class OpenTelemetry implements Tracing {
  readonly #tracer: ReturnType<TracerProvider['getTracer']>;
  readonly #ids: EventIds;
  readonly #root: Sampler;
  readonly #running = new AsyncLocalStorage<Context>();
  readonly #contexts = new WeakMap<OpenSpan, Context>();

  constructor(
    tracer: ReturnType<TracerProvider['getTracer']>,
    { ids, root }: { ids: EventIds; root: Sampler },
  ) {
    this.#tracer = tracer;
    this.#ids = ids;
    this.#root = root;
  }

  get isWithin(): boolean {
    return this.#running.getStore() !== undefined;
  }

  begin({ name, kind, attributes = {}, parent }: SpanStart): OpenSpan {
    const context = this.#contextOf(parent);
    const span = this.#tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    const { traceId, spanId, traceFlags } = span.spanContext();
    const open = {
      traceId,
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      end: (outcome?: SpanOutcome) => end(span, outcome),
    };
    this.#contexts.set(open, trace.setSpan(context, span));
    return open;
  }

  within<Result>(span: OpenSpan, work: () => Result): Result {
    return this.#running.run(this.#contexts.get(span) ?? ROOT_CONTEXT, work);
  }

  eventBegan(id: string, type: string): void {
    const cause = trace.getSpanContext(this.#running.getStore() ?? ROOT_CONTEXT);
    const attributes = { 'dealkeep.event_id': id, 'dealkeep.event': type };
    const links = cause ? [{ context: cause }] : [];
    this.#ids.ofEvent(id, () =>
      this.#tracer.startSpan(`event ${type}`, { root: true, attributes, links }).end(),
    );
    // From the request one gets to what became of its events.
    const running = trace.getSpan(this.#running.getStore() ?? ROOT_CONTEXT);
    running?.addLink({ context: this.#eventContext(id), attributes });
  }

  #contextOf(parent: SpanStart['parent']): Context {
    if (parent === undefined) return this.#running.getStore() ?? ROOT_CONTEXT;
    if ('event' in parent) return trace.setSpanContext(ROOT_CONTEXT, this.#eventContext(parent.event));
    const caller = callerOf(parent.traceparent);
    return caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT;
  }

  /** The first span of an event's trace, which whatever process wrote the event has told. */
  #eventContext(id: string): SpanContext {
    const { traceId, spanId } = idsOf(id);
    const { decision } = this.#root.shouldSample(ROOT_CONTEXT, traceId, 'event', SpanKind.INTERNAL, {}, []);
    const isSampled = decision === SamplingDecision.RECORD_AND_SAMPLED;
    return { traceId, spanId, isRemote: true, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
  }
}

function end(span: Span, { name, attributes = {}, fault }: SpanOutcome = {}): void {
  if (name !== undefined) span.updateName(name);
  span.setAttributes(attributes);
  if (fault !== undefined) {
    span.setAttribute('error.type', fault);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** What `traceparent` says (W3C Trace Context, level 1); undefined for what is none. */
function callerOf(traceparent: string | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(traceparent ?? '') ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && rest !== undefined)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const context = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(context) ? context : undefined;
}

/**
 * The trace of an event is made of its id: so every process that delivers it, today or in three days, tells its
 * attempts in the same trace, and no table has to carry that along.
 */
function idsOf(event: string): { traceId: string; spanId: string } {
  const hash = createHash('sha256').update(event).digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
}

/** Random ids, but those of the span that an event's trace begins with. */
class EventIds extends RandomIdGenerator {
  constructor() {
    super();
    const { generateTraceId, generateSpanId } = this;
    this.generateTraceId = () => this.#own?.traceId ?? generateTraceId();
    this.generateSpanId = () => this.#own?.spanId ?? generateSpanId();
  }

  #own: { traceId: string; spanId: string } | undefined;

  ofEvent(event: string, begin: () => void): void {
    this.#own = idsOf(event);
    begin();
    this.#own = undefined;
  }
}

/** `OTEL_TRACES_SAMPLER` and its argument, by OpenTelemetry's names. `root` decides for what has no caller. */
function samplersOf(variables: NodeJS.ProcessEnv): { root: Sampler; sampler: Sampler } {
  // Empty, as a composition passes on what is not set, is not set.
  const name = variables['OTEL_TRACES_SAMPLER'] || 'parentbased_always_on';
  const share = variables['OTEL_TRACES_SAMPLER_ARG'] || '1';
  const kind = name.replace('parentbased_', '');
  const root =
    kind === 'always_off'
      ? new AlwaysOffSampler()
      : kind === 'traceidratio'
        ? new TraceIdRatioBasedSampler(Number(share))
        : new AlwaysOnSampler();
  return { root, sampler: name === kind ? root : new ParentBasedSampler({ root }) };
}

const warnedEveryMs = 60_000;

/** A collector that is away would be told of with each batch. */
function warnSeldom(log: Log): void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  const warn = (reason: string): void => {
    if (performance.now() - warnedAt < warnedEveryMs) return;
    warnedAt = performance.now();
    log.warn({ reason }, 'Traces could not be handed over; those that wait for too long are dropped');
  };
  const quiet = (): void => {};
  diag.setLogger({ error: warn, warn, info: quiet, debug: quiet, verbose: quiet });
}
