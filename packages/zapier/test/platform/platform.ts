import { type AppHandler, appHandler, type PlatformEvent } from '../../src/app-handler.ts';
import { type LogServer, startLogServer } from './log-server.ts';
import { type RpcServer, startRpcServer } from './rpc-server.ts';
import { unlimitMemory } from './unlimited-memory.ts';

/** An integration run as Zapier runs it: one event in, one result out, everything as JSON. */
export interface Platform {
  readonly rpc: RpcServer;
  /**
   * Everything that the platform's core has reported of the runs where it does: each request, each line, each error.
   */
  readonly log: LogServer;
  /** What `zapier-platform env:set` has set. */
  readonly environment: Record<string, string>;
  /** Runs `triggers.lead_created.operation.perform` and the like. */
  run(method: string, bundle: Readonly<Record<string, unknown>>): Promise<unknown>;
  definition(): Promise<unknown>;
  close(): Promise<void>;
}

interface PlatformOptions {
  /** What is stopped with it. */
  readonly stop?: () => Promise<void>;
  /** Whether the core reports; to tell of each request takes it a sixth of a run's time. */
  readonly reports?: boolean;
}

/** Drives a handler, wherever it runs. */
export async function startPlatform(
  handle: AppHandler,
  { stop, reports = true }: PlatformOptions = {},
): Promise<Platform> {
  const rpc = await startRpcServer();
  const log = await startLogServer();
  const environment: Record<string, string> = {};
  let definition: Promise<unknown> | undefined;
  const send = async (event: PlatformEvent) => {
    const bundle = { ...event.bundle };
    const withLog = { ...environment, LOGGING_ENDPOINT: log.url };
    const run = { ...event, bundle, environment: withLog, rpc_base: rpc.url };
    const answer = await handle(reports ? { ...run, token: 'log' } : run);
    return answer.results;
  };
  return {
    rpc,
    log,
    environment,
    run: (method, bundle) =>
      send({ command: 'execute', method, storeKey: method, bundle: JSON.parse(JSON.stringify(bundle)) }),
    definition: () => (definition ??= send({ command: 'definition' })),
    close: async () => {
      await stop?.();
      await rpc.close();
      await log.close();
    },
  };
}

/** The integration from its sources, in this process. */
export const startInProcess = (app: object, { reports = false } = {}): Promise<Platform> => {
  // Without it the core refuses to call Zapier's services.
  process.env['ZAPIER_DEPLOY_KEY'] ??= 'none';
  unlimitMemory();
  // The core puts one in its place that reports to this platform for good.
  const { fetch } = globalThis;
  const stop = async (): Promise<void> => {
    globalThis.fetch = fetch;
  };
  return startPlatform(stepHandler(app), { stop, reports });
};

/**
 * For each run the core copies, looks through and freezes everything that it is given, which takes four fifths of a
 * run's time. A run is of one step or of the authentication, so it is given what belongs to no step and that one.
 * The whole integration is run where it is built: by `startNode22`.
 */
function stepHandler(app: object): AppHandler {
  const whole = appHandler(app);
  const handlers = new Map<string, AppHandler>();
  return (event) => {
    if (event.command !== 'execute') return whole(event);
    const [kind = '', key = ''] = event.method?.split('.') ?? [];
    const one = `${kind}.${key}`;
    const handler = handlers.get(one) ?? appHandler(withOneStep(app, kind, key));
    handlers.set(one, handler);
    return handler(event);
  };
}

const steps = ['triggers', 'creates', 'searches', 'searchOrCreates'];

const withOneStep = (app: object, kind: string, key: string): object =>
  Object.fromEntries(
    Object.entries(app).map(([name, part]) => {
      if (!steps.includes(name)) return [name, part];
      return [name, name === kind && Object.hasOwn(part, key) ? { [key]: part[key] } : {}];
    }),
  );
