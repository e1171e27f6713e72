import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { eventually } from '@dealkeep/testing';
import { expect, onTestFinished, test } from 'vitest';
import {
  dealkeep,
  makeOrganization,
  ownDatabase,
  ownFolder,
  startReady,
  startReadyHere,
  type Variables,
} from './program.ts';

interface Attribute {
  key: string;
  value: { stringValue?: string; intValue?: number };
}

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: Attribute[];
  links: { traceId: string; spanId: string }[];
  status: { code: number };
}

/** A server that takes whatever is posted to it. */
async function startTaker<Taken>(
  take: (path: string, body: string, headers: IncomingHttpHeaders) => Taken[],
) {
  const taken: Taken[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    taken.push(...take(request.url ?? '', body, request.headers));
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { taken, origin: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` };
}

/** What takes traces by OTLP, as a collector does. */
const startCollector = () =>
  startTaker<Span>((path, body) => {
    expect(path).toBe('/v1/traces');
    const sent: { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] } = JSON.parse(body);
    return sent.resourceSpans.flatMap((each) => each.scopeSpans.flatMap(({ spans }) => spans));
  });

const startReceiver = () => startTaker<IncomingHttpHeaders>((_path, _body, headers) => [headers]);

const attributeOf = (span: Span | undefined, key: string): string | number | undefined => {
  const { stringValue, intValue } = span?.attributes.find((each) => each.key === key)?.value ?? {};
  return stringValue ?? intValue;
};

const asking =
  (origin: string, key: string) =>
  (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${origin}/api/v1/public${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    });

const callersTrace = 'a'.repeat(32);
const callersSpan = 'b'.repeat(16);
const traceparent = `00-${callersTrace}-${callersSpan}-01`;

test.each([
  ['in one process', ['api,worker'], startReadyHere],
  ['with a worker of its own', ['api', 'worker'], startReady],
] as const)(
  'a request of the caller’s trace, its verb, statements, event and delivery are told by OTLP, %s',
  async (_, roles, start) => {
    const collector = await startCollector();
    const receiver = await startReceiver();
    const variables: Variables & { DATABASE_URL: string } = {
      ...(await ownDatabase()),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
      WEBHOOK_ALLOWED_TARGETS: '127.0.0.1',
      ACCESS_LOG: 'true',
    };
    const { id, key } = await makeOrganization(variables);
    const running = await Promise.all(roles.map((ROLES) => start({ ...variables, ROLES })));
    const [api] = running;
    const post = asking(api?.origin ?? '', key.token);
    const hook = { target_url: `${receiver.origin}/secret-path`, events: ['lead.created'] };
    expect((await post('/webhooks', hook)).status).toBe(201);
    const lead = { name: 'Veronika Tajná', note: 'Nobody is to read this' };
    expect((await post('/leads', lead, { traceparent })).status).toBe(201);
    expect((await post('/leads', { name: 5 }, { traceparent: 'nonsense' })).status).toBe(422);
    await eventually(() => expect(receiver.taken).toHaveLength(1));
    for (const each of running) await each.end('SIGTERM');

    const spans = collector.taken;
    const one = (name: string, where: (span: Span) => boolean = () => true): Span | undefined =>
      spans.find((span) => span.name === name && where(span));
    const ofCaller = (span: Span): boolean => span.traceId === callersTrace;
    const request = one('POST leads.create', ofCaller);
    expect(request).toMatchObject({ parentSpanId: callersSpan, kind: 2 });
    expect(attributeOf(request, 'http.response.status_code')).toBe(201);
    expect(attributeOf(request, 'dealkeep.organization_id')).toBe(id);
    const verb = one('leads.create', ofCaller);
    expect(verb?.parentSpanId).toBe(request?.spanId);
    const statements = spans.filter(
      (span) => ofCaller(span) && attributeOf(span, 'db.system.name') === 'postgresql',
    );
    expect(statements.map(({ parentSpanId }) => parentSpanId)).toContain(verb?.spanId);
    const texts = statements.map((span) => String(attributeOf(span, 'db.query.text')));
    expect(texts.some((text) => text.includes('insert into "leads"') && text.includes('$1'))).toBe(true);

    const event = one('event lead.created');
    expect(event?.links).toEqual([expect.objectContaining({ traceId: callersTrace })]);
    const linked = spans.filter(ofCaller).flatMap(({ links }) => links);
    expect(linked).toContainEqual(
      expect.objectContaining({ traceId: event?.traceId, spanId: event?.spanId }),
    );
    const delivery = one('deliver lead.created');
    expect(delivery).toMatchObject({ traceId: event?.traceId, parentSpanId: event?.spanId, kind: 3 });
    expect(attributeOf(delivery, 'http.response.status_code')).toBe(200);
    const [headers] = receiver.taken;
    expect(headers?.['traceparent']).toBe(`00-${delivery?.traceId}-${delivery?.spanId}-01`);

    const refused = one('POST leads.create', (span) => !ofCaller(span));
    expect(refused?.parentSpanId ?? '').toBe('');
    expect(attributeOf(refused, 'dealkeep.refusal')).toBe('VALIDATION_ERROR');
    expect(refused?.status.code ?? 0).not.toBe(2);
    expect(api?.heard().stdout).toContain(`"trace_id":"${callersTrace}"`);

    const told = JSON.stringify(spans);
    for (const secret of [
      key.token,
      'Tajná',
      'Nobody',
      'secret-path',
      'own.example',
      variables['SECRETS_KEY'],
    ]) {
      expect(told).not.toContain(secret);
    }
  },
);

/** Says on stdout when a module of OpenTelemetry is loaded. */
async function watchingModules(): Promise<string> {
  const file = join(await ownFolder(), 'watch.mjs');
  await writeFile(
    file,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve(name, context, next) {
       if (name.startsWith('@opentelemetry/')) console.log('loaded ' + name);
       return next(name, context);
     } });`,
  );
  return `--import=${file}`;
}

test('without the variable nothing of it is loaded, and webhooks carry no trace; with it, it is', async () => {
  const receiver = await startReceiver();
  const collector = await startCollector();
  const NODE_OPTIONS = await watchingModules();
  const variables = { ...(await ownDatabase()), WEBHOOK_ALLOWED_TARGETS: '127.0.0.1', NODE_OPTIONS };
  const { key } = await makeOrganization(variables);
  const off = await startReady(variables);
  const post = asking(off.origin, key.token);
  await post('/webhooks', { target_url: receiver.origin, events: ['lead.created'] });
  await post('/leads', { name: 'Lead' }, { traceparent });
  await eventually(() => expect(receiver.taken).toHaveLength(1));
  expect(receiver.taken[0]).not.toHaveProperty('traceparent');
  // prom-client asks for the interface.
  expect((await off.end('SIGTERM')).stdout).not.toMatch(/loaded @opentelemetry\/(?!api)/);
  const on = await startReady({ ...variables, OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin });
  expect((await on.end('SIGTERM')).stdout).toContain('loaded @opentelemetry/sdk-trace');
});

test('a collector that is away delays nothing and fails no request', async () => {
  const variables = { ...(await ownDatabase()), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
  const { key } = await makeOrganization(variables);
  const running = await startReadyHere(variables);
  const post = asking(running.origin, key.token);
  for (let made = 0; made < 3; made += 1) expect((await post('/leads', { name: 'Lead' })).status).toBe(201);
  await running.says(/Traces could not be handed over/);
  expect((await running.end('SIGTERM')).code).toBe(0);
});

test('what is sampled is what OTEL_TRACES_SAMPLER says', async () => {
  const collector = await startCollector();
  const variables = {
    ...(await ownDatabase()),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0',
  };
  const { key } = await makeOrganization(variables);
  const running = await startReadyHere({ ...variables, ROLES: 'api' });
  const post = asking(running.origin, key.token);
  await post('/leads', { name: 'Lead' });
  await post('/leads', { name: 'Lead' }, { traceparent });
  await running.end('SIGTERM');
  expect(new Set(collector.taken.map(({ traceId }) => traceId))).toEqual(new Set([callersTrace]));
});

test('an address that is none is refused in one line', async () => {
  const { code, stderr } = await dealkeep(['start'], { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' });
  expect({ code, stderr }).toEqual({
    code: 78,
    stderr: expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT takes the address of a collector/),
  });
});
