// The services of the profile n8n, by what docker-compose.yml says of them: a database, the nodes out of the image,
// n8n itself.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run as npm } from '@dealkeep/tooling';

/** A service as it is run on this machine. */
export interface Step {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
}

const run = promisify(execFile);

/** Runs a service that ends by itself; rejects with what it printed when it fails. */
export async function runOnce(
  { entrypoint: [program = '', ...first], command, environment }: Step,
  options: { readonly cwd: string; readonly uid?: number; readonly gid?: number },
): Promise<void> {
  const env = { PATH: process.env['PATH'], ...environment };
  await run(program, [...first, ...command], { ...options, env });
}

/** Installs n8n, by the command of the package that is tried in it; its folder. */
export async function installN8n(repository: string, version?: string): Promise<string> {
  const workspace = ['run', '--silent', 'install:n8n', '--workspace', 'n8n-nodes-dealkeep'];
  if (version !== undefined) workspace.push('--', version);
  // The first time takes minutes, and prints how far it is.
  await npm('npm', workspace, repository);
  const { stdout } = await run('npm', workspace, { cwd: repository });
  return stdout.trim();
}

export interface RunningN8n {
  readonly origin: string;
  log(): string;
  kill(): void;
  /** Asks for the end as an engine does; the exit code. */
  stop(): Promise<number>;
}

/** Starts n8n as its image does, on the volume that a folder stands for. */
export function startN8n(
  installation: string,
  { environment }: Step,
  home: string,
  [port, brokerPort]: readonly [number, number],
): RunningN8n {
  const child = spawn(process.execPath, [join(installation, 'node_modules', 'n8n', 'bin', 'n8n'), 'start'], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      NODE_ENV: 'production',
      ...environment,
      // What differs on one machine: n8n listens on ports that are free, and asks nothing of the internet.
      N8N_PORT: String(port),
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_RUNNERS_BROKER_PORT: String(brokerPort),
      N8N_DISABLED_MODULES: 'mcp-registry',
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      N8N_VERIFIED_PACKAGES_ENABLED: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const ended = once(child, 'close');
  return {
    origin: `http://127.0.0.1:${port}`,
    log: () => log,
    kill: () => child.kill('SIGKILL'),
    stop: async () => {
      child.kill('SIGTERM');
      return Number((await ended)[0]);
    },
  };
}

/** What a person does in the editor: the first account, a credential, a workflow, its publication. */
export class N8nEditor {
  readonly #origin: string;
  readonly #browser = randomUUID();
  #cookie = '';

  private constructor(origin: string) {
    this.#origin = origin;
  }

  static async setUp(origin: string): Promise<N8nEditor> {
    const editor = new N8nEditor(origin);
    await editor.#call('POST', '/rest/owner/setup', {
      email: 'owner@composition.example',
      firstName: 'Jana',
      lastName: 'Kováčová',
      password: 'Correct-horse-7',
    });
    return editor;
  }

  /** Names of the nodes that the panel offers, with their packages. */
  async nodes(): Promise<string[]> {
    const response = await fetch(`${this.#origin}/types/nodes.json`, { headers: { cookie: this.#cookie } });
    const types: { name: string }[] = JSON.parse(await response.text());
    return types.map(({ name }) => name);
  }

  /** How a test of the credential ends, and its ID. */
  async connect(baseUrl: string, apiKey: string): Promise<{ status: string; id: string }> {
    const credential = { name: 'Dealkeep', type: 'dealkeepApi', data: { baseUrl, apiKey } };
    const { status } = await this.#call<{ status: string }>('POST', '/rest/credentials/test', {
      credentials: { id: '', ...credential },
    });
    const { id } = await this.#call<{ id: string }>('POST', '/rest/credentials', credential);
    return { status, id };
  }

  /** A workflow of the trigger and the node, published; resolves when n8n has subscribed. */
  async publish(credential: string, trigger: object, action: object): Promise<void> {
    const credentials = { dealkeepApi: { id: credential, name: 'Dealkeep' } };
    const node = (name: string, type: string, typeVersion: number, parameters: object) => ({
      id: randomUUID(),
      name,
      type: `n8n-nodes-dealkeep.${type}`,
      typeVersion,
      position: [0, 0],
      parameters,
      credentials,
      ...(type === 'dealkeepTrigger' ? { webhookId: randomUUID() } : {}),
    });
    const { id, versionId } = await this.#call<{ id: string; versionId: string }>('POST', '/rest/workflows', {
      name: 'A first workflow',
      nodes: [
        node('Dealkeep Trigger', 'dealkeepTrigger', 2, trigger),
        node('Dealkeep', 'dealkeep', 1, action),
      ],
      connections: { 'Dealkeep Trigger': { main: [[{ node: 'Dealkeep', type: 'main', index: 0 }]] } },
      settings: { executionOrder: 'v1' },
    });
    await this.#call('POST', `/rest/workflows/${id}/activate`, { versionId });
    for (;;) {
      const publication = await this.#call<{ status: string }>(
        'GET',
        `/rest/workflows/${id}/publication-status`,
      );
      assert.notEqual(publication.status, 'failed', JSON.stringify(publication));
      if (publication.status === 'published') return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  async #call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.#origin + path, {
      method,
      headers: { 'browser-id': this.#browser, 'content-type': 'application/json', cookie: this.#cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert(response.ok, `${method} ${path} answered ${response.status}: ${text}`);
    const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
    if (session !== undefined) this.#cookie = session.slice(0, session.indexOf(';'));
    return JSON.parse(text).data;
  }
}
