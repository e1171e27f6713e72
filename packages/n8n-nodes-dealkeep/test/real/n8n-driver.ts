import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { type Execution, readExecution } from './execution.ts';
import { at, listAt, textAt } from './json.ts';
import { N8nRefusal, N8nSession } from './n8n-session.ts';
import { waitFor } from './wait-for.ts';
import {
  actionNode,
  actionType,
  type Credential,
  connected,
  credentialsOf,
  manualTrigger,
  placed,
  type WorkflowNode,
} from './workflow-node.ts';

const runLimit = 90_000;

/** n8n from the outside, through its own interface. */
export class N8nDriver {
  readonly session: N8nSession;

  constructor(session = new N8nSession(inject('n8n'))) {
    this.session = session;
  }

  /** What n8n printed so far. */
  log(): Promise<string> {
    return readFile(this.session.logFile, 'utf8');
  }

  /** What n8n prints from now on. */
  async newLog(): Promise<() => Promise<string>> {
    const { length } = await this.log();
    return async () => (await this.log()).slice(length);
  }

  async testCredential(data: Record<string, string>): Promise<{ status: string; message: string }> {
    const answer = await this.session.call('POST', '/rest/credentials/test', {
      credentials: { id: '', name: 'Tested', type: 'dealkeepApi', data },
    });
    return { status: textAt(answer, 'status'), message: String(at(answer, 'message')) };
  }

  /** Tests a saved credential; only n8n's public API does that for a connected account. */
  async testSavedCredential({ id }: Credential): Promise<{ status: string; message: string }> {
    const answer = await this.#callPublicApi(`/credentials/${id}/test`, 'credential:read');
    return { status: String(at(answer, 'status')), message: String(at(answer, 'message')) };
  }

  /** Copies a workflow with what its nodes remember, as n8n's command line and its public API do. */
  async copyWorkflow(
    { id }: { id: string },
    nodes: readonly WorkflowNode[],
  ): Promise<{ id: string; versionId: string }> {
    const staticData = at(await this.session.call('GET', `/rest/workflows/${id}`), 'staticData');
    const answer = await this.#callPublicApi('/workflows', 'workflow:create', {
      name: `Copy ${randomUUID().slice(0, 8)}`,
      nodes: placed(nodes),
      connections: connected(nodes),
      settings: { executionOrder: 'v1' },
      staticData,
    });
    return { id: textAt(answer, 'id'), versionId: textAt(answer, 'versionId') };
  }

  /** What only n8n's public API can do. */
  async #callPublicApi(path: string, scope: string, body?: unknown): Promise<unknown> {
    const key = { label: randomUUID(), scopes: [scope], expiresAt: null };
    const made = await this.session.call('POST', '/rest/api-keys', key);
    const response = await fetch(`${this.session.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'x-n8n-api-key': textAt(made, 'rawApiKey'), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return response.json();
  }

  createCredential(baseUrl: string, apiKey: string): Promise<Credential> {
    return this.#create('dealkeepApi', { baseUrl, apiKey });
  }

  /** An application's credential, not yet connected to anybody's account. */
  async createOAuthCredential(
    baseUrl: string,
    application: { client_id: string; client_secret: string },
    more: Record<string, unknown> = {},
  ): Promise<Credential> {
    const { client_id: clientId, client_secret: clientSecret } = application;
    const data = { baseUrl, clientId, clientSecret, ...more };
    return { ...(await this.#create('dealkeepOAuth2Api', data)), authentication: 'oAuth2' };
  }

  /** A credential of another service. */
  createOtherCredential(type: string, data: Record<string, unknown>): Promise<Credential> {
    return this.#create(type, data);
  }

  async #create(type: string, data: Record<string, unknown>): Promise<Credential> {
    const name = `Dealkeep ${randomUUID().slice(0, 8)}`;
    const answer = await this.session.call('POST', '/rest/credentials', { name, type, data });
    return { id: textAt(answer, 'id'), name };
  }

  /** Where the button "Connect my account" leads. */
  async authorizationUrl({ id }: Credential): Promise<URL> {
    return new URL(String(await this.session.call('GET', `/rest/oauth2-credential/auth?id=${id}`)));
  }

  /** Where people come back to after they have consented. */
  get oauthCallback(): string {
    return `${this.session.origin}/rest/oauth2-credential/callback`;
  }

  /** The names of an operation's output fields, as the editor offers them before the node has run. */
  async outputFields(resource: string, operation: string): Promise<string[]> {
    const { origin, cookie, browserId } = this.session;
    const path = `/schemas/${actionType}/1.0.0/${resource}/${operation}.json`;
    const response = await fetch(origin + path, { headers: { cookie, 'browser-id': browserId } });
    return Object.keys(Object(at(await response.json(), 'properties')));
  }

  /** A page of a resource locator's list, as the editor loads it. */
  async searchList(request: {
    method: string;
    credential: Credential;
    parameters?: Record<string, unknown>;
    path?: string;
    filter?: string;
    paginationToken?: string;
    node?: string;
  }): Promise<{ results: { name: string; value: string; url?: string }[]; paginationToken?: string }> {
    const answer = await this.session.call(
      'POST',
      '/rest/dynamic-node-parameters/resource-locator-results',
      this.#dropdown(request, {
        ...(request.filter === undefined ? {} : { filter: request.filter }),
        ...(request.paginationToken === undefined ? {} : { paginationToken: request.paginationToken }),
      }),
    );
    const token = at(answer, 'paginationToken');
    return {
      results: listAt(answer, 'results').map((each) => ({
        name: textAt(each, 'name'),
        value: textAt(each, 'value'),
        ...(at(each, 'url') === undefined ? {} : { url: textAt(each, 'url') }),
      })),
      ...(typeof token === 'string' ? { paginationToken: token } : {}),
    };
  }

  /** The choices of a dropdown of several choices. */
  async loadOptions(request: {
    method: string;
    credential: Credential;
    parameters?: Record<string, unknown>;
    path?: string;
    node?: string;
  }): Promise<{ name: string; value: string }[]> {
    const path = '/rest/dynamic-node-parameters/options';
    const answer = await this.session.call('POST', path, this.#dropdown(request, {}));
    return listAt(answer).map((each) => ({ name: textAt(each, 'name'), value: textAt(each, 'value') }));
  }

  /** What the mapper shows of the chosen operation, as the editor loads it. */
  mapperFields(request: { credential: Credential; parameters: Record<string, unknown> }): Promise<unknown> {
    const path = '/rest/dynamic-node-parameters/resource-mapper-fields';
    const asked = { ...request, method: 'getFields', path: 'parameters.mapping' };
    return this.session.call('POST', path, this.#dropdown(asked, {}));
  }

  #dropdown(
    request: {
      method: string;
      credential: Credential;
      parameters?: Record<string, unknown>;
      path?: string;
      node?: string;
    },
    more: Record<string, unknown>,
  ): Record<string, unknown> {
    return {
      path: request.path ?? 'parameters.any',
      methodName: request.method,
      nodeTypeAndVersion: { name: request.node ?? actionType, version: 1 },
      // The editor sends values that nobody has changed, too.
      currentNodeParameters: {
        authentication: request.credential.authentication ?? 'apiKey',
        ...request.parameters,
      },
      credentials: credentialsOf(request.credential),
      ...more,
    };
  }

  /** Saves a workflow whose nodes follow one another. */
  async createWorkflow(
    nodes: readonly WorkflowNode[],
    options: {
      name?: string;
      pinData?: Record<string, unknown[]>;
      settings?: Record<string, unknown>;
      /** Of nodes that do not simply follow one another. */
      connections?: Record<string, unknown>;
    } = {},
  ): Promise<{ id: string; versionId: string }> {
    const answer = await this.session.call('POST', '/rest/workflows', {
      name: options.name ?? `Test ${randomUUID().slice(0, 8)}`,
      nodes: placed(nodes),
      connections: options.connections ?? connected(nodes),
      settings: { executionOrder: 'v1', timezone: 'Europe/Bratislava', ...options.settings },
      ...(options.pinData ? { pinData: options.pinData } : {}),
    });
    return { id: textAt(answer, 'id'), versionId: textAt(answer, 'versionId') };
  }

  /** Saves a changed workflow; the published version stays until it is published again. */
  async updateWorkflow(
    workflow: { id: string; versionId: string },
    nodes: readonly WorkflowNode[],
    settings?: Record<string, unknown>,
  ): Promise<{ id: string; versionId: string }> {
    const answer = await this.session.call('PATCH', `/rest/workflows/${workflow.id}`, {
      nodes: placed(nodes),
      connections: connected(nodes),
      ...(settings ? { settings } : {}),
      versionId: workflow.versionId,
    });
    return { id: workflow.id, versionId: textAt(answer, 'versionId') };
  }

  /** Publishes and waits until all webhooks are registered. Rejects with n8n's reason when it fails. */
  async publish(workflow: { id: string; versionId: string }): Promise<void> {
    await this.session.call('POST', `/rest/workflows/${workflow.id}/activate`, {
      versionId: workflow.versionId,
    });
    await waitFor('the workflow to be published', runLimit, async () => {
      const status = await this.#publication(workflow);
      if (at(status, 'status') === 'failed') throw new Error(`Not published: ${JSON.stringify(status)}`);
      return status === undefined || at(status, 'status') === 'published';
    });
  }

  /** Unpublishes and waits until n8n has called the trigger for that. */
  async unpublish(workflow: { id: string }): Promise<void> {
    await this.session.call('POST', `/rest/workflows/${workflow.id}/deactivate`, {});
    await waitFor('the workflow to be unpublished', runLimit, async () => {
      const status = await this.#publication(workflow);
      return status === undefined || at(status, 'status') === 'not_published';
    });
  }

  /** How far n8n is; undefined in releases before 2.40, which answer when they are done. */
  async #publication({ id }: { id: string }): Promise<unknown> {
    try {
      return await this.session.call('GET', `/rest/workflows/${id}/publication-status`);
    } catch (error) {
      if (error instanceof N8nRefusal && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Runs from a trigger by hand; for a webhook trigger this only starts to listen. */
  async run(workflow: { id: string }, trigger: string): Promise<string | undefined> {
    const answer = await this.session.call('POST', `/rest/workflows/${workflow.id}/run`, {
      triggerToStartFrom: { name: trigger },
    });
    const id = at(answer, 'executionId');
    return typeof id === 'string' ? id : undefined;
  }

  /** Retries an execution that failed, as the list of executions does; gives the new one. */
  async retry(id: string): Promise<Execution> {
    const answer = await this.session.call('POST', `/rest/executions/${id}/retry`, { loadWorkflow: false });
    return this.execution(textAt(answer, 'id'));
  }

  /** Ids of a workflow's executions, the newest first. */
  async executionIds(workflow: { id: string }): Promise<string[]> {
    const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
    const answer = await this.session.call('GET', `/rest/executions?filter=${filter}`);
    return listAt(answer, 'results').map((each) => textAt(each, 'id'));
  }

  /** How many of a workflow's executions have ended in success, and how many n8n keeps in all. */
  async executionCounts(workflow: { id: string }): Promise<{ all: number; success: number }> {
    const count = async (filter: Record<string, unknown>) => {
      const query = encodeURIComponent(JSON.stringify({ workflowId: workflow.id, ...filter }));
      return Number(at(await this.session.call('GET', `/rest/executions?limit=1&filter=${query}`), 'count'));
    };
    return { all: await count({}), success: await count({ status: ['success'] }) };
  }

  /** Waits until an execution has ended. */
  async execution(id: string, patience = runLimit): Promise<Execution> {
    const answer = await waitFor(`execution ${id} to end`, patience, async () => {
      const execution = await this.session.call('GET', `/rest/executions/${id}`);
      return at(execution, 'finished') === true || at(execution, 'stoppedAt') ? execution : undefined;
    });
    const path = join(this.session.installation, 'node_modules', 'flatted', 'esm', 'index.js');
    const flatted: { parse(text: string): unknown } = await import(pathToFileURL(path).href);
    return readExecution(id, answer, flatted.parse(textAt(answer, 'data')));
  }

  /** All executions of a workflow, in the order in which they began, once they have ended. */
  async executions(workflow: { id: string }): Promise<Execution[]> {
    const executions = await Promise.all((await this.executionIds(workflow)).map((id) => this.execution(id)));
    return executions.toSorted((one, other) => Number(one.id) - Number(other.id));
  }

  /** The only or newest execution of a workflow, once there are so many. */
  async nextExecution(workflow: { id: string }, count = 1): Promise<Execution> {
    const ids = await waitFor(`${count} executions`, runLimit, async () => {
      const found = await this.executionIds(workflow);
      return found.length >= count ? found : undefined;
    });
    return this.execution(ids[0] ?? '');
  }

  /** Runs one action node on some input items, and gives its execution. */
  async act(
    parameters: Record<string, unknown>,
    credential: Credential,
    options: {
      items?: Record<string, unknown>[];
      settings?: Record<string, unknown>;
      /** Milliseconds that it may take. */
      patience?: number;
    } = {},
  ): Promise<Execution> {
    const workflow = await this.createWorkflow(
      [manualTrigger, { ...actionNode(parameters, credential), ...options.settings }],
      { pinData: { Start: (options.items ?? [{}]).map((json) => ({ json })) } },
    );
    const id = await this.run(workflow, 'Start');
    if (id === undefined) throw new Error('The workflow did not start');
    return this.execution(id, options.patience);
  }
}
