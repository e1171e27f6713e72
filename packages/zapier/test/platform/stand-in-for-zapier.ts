import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from './listen.ts';

export interface StandInForZapier {
  readonly origin: string;
  /** What the command line asked for, without reads: `PUT /apps/1/versions/1.0.0`, and the bodies. */
  readonly changes: readonly {
    readonly what: string;
    readonly deployKey: string | undefined;
    readonly body: Readonly<Record<string, unknown>>;
  }[];
  close(): Promise<void>;
}

/** As much of Zapier's developer API as its command line needs to publish an integration that is registered. */
export async function startStandInForZapier(): Promise<StandInForZapier> {
  const changes: StandInForZapier['changes'][number][] = [];
  const integration = {
    id: 1,
    key: 'App1',
    title: 'Dealkeep',
    description: 'Dealkeep is …',
    status: 'private',
    intention: 'global',
    role: 'employee',
    app_category: 'crm',
    all_versions: ['2.0.0', '2.1.0'],
    objects: [],
    versions: [],
    env: {},
    invite_url: 'https://zapier.example/1',
    versions_invite_urls: {},
  };
  const server = createServer(async (request, response) => {
    const content = await text(request);
    if (request.method !== 'GET') {
      const path = (request.url ?? '').replace('/api/platform/cli', '');
      const deployKey = request.headers['x-deploy-key']?.toString();
      changes.push({ what: `${request.method} ${path}`, deployKey, body: JSON.parse(content || '{}') });
    }
    response.setHeader('Content-Type', 'application/json');
    if (request.url?.startsWith('/refuses')) {
      response.statusCode = 403;
      response.end(JSON.stringify({ errors: ['Not yours'] }));
      return;
    }
    response.end(JSON.stringify(integration));
  });
  const origin = await listen(server);
  return { origin, changes, close: () => close(server) };
}
