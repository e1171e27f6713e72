import { type AppHandler, appHandler, type PlatformEvent } from '../../src/app-handler.ts';
import { type RpcServer, startRpcServer } from './rpc-server.ts';

export interface Connection {
  readonly base_url: string;
  readonly api_key: string;
}

/** An integration run as Zapier runs it: one event in, one result out, everything as JSON. */
export interface Platform {
  readonly rpc: RpcServer;
  /** Runs `triggers.lead_created.operation.perform` and the like. */
  run(method: string, bundle: Readonly<Record<string, unknown>>): Promise<unknown>;
  definition(): Promise<unknown>;
  close(): Promise<void>;
}

/** Drives a handler, wherever it runs. */
export async function startPlatform(handle: AppHandler, stop = async () => {}): Promise<Platform> {
  const rpc = await startRpcServer();
  const send = async (event: PlatformEvent) => (await handle({ ...event, rpc_base: rpc.url })).results;
  return {
    rpc,
    run: (method, bundle) =>
      send({ command: 'execute', method, storeKey: method, bundle: JSON.parse(JSON.stringify(bundle)) }),
    definition: () => send({ command: 'definition' }),
    close: async () => {
      await stop();
      await rpc.close();
    },
  };
}

/** The integration from its sources, in this process. */
export const startInProcess = (app: object): Promise<Platform> => {
  // Without it the core refuses to call Zapier's services.
  process.env['ZAPIER_DEPLOY_KEY'] ??= 'none';
  return startPlatform(appHandler(app));
};
