import zapier from 'zapier-platform-core';

/** What Zapier hands to an integration for one run. */
export interface PlatformEvent {
  readonly command: 'execute' | 'validate' | 'definition';
  /** `triggers.lead_created.operation.perform` */
  readonly method?: string;
  readonly bundle?: Readonly<Record<string, unknown>>;
  /** Where the run finds Zapier's own services (cursor, cache). */
  readonly rpc_base?: string;
  readonly storeKey?: string;
  readonly calledFromCli?: boolean;
  /** What the publisher has set for the integration; the core puts it into the process's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** With it the core reports what happens in the run. */
  readonly token?: string;
}

export type AppHandler = (event: PlatformEvent) => Promise<{ readonly results: unknown }>;

/** The function that Zapier calls: the core around an integration. The core's types leave it out. */
export const appHandler = (app: object): AppHandler => Reflect.get(zapier, 'createAppHandler')(app);
