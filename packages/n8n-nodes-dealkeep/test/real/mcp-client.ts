import { at } from './json.ts';

/** As much of an AI agent as talks to tools (Model Context Protocol, streamable HTTP): it lists and calls them. */
export class McpClient {
  readonly #url: string;
  #session: string | undefined;
  #count = 0;

  constructor(url: string) {
    this.#url = url;
  }

  async connect(): Promise<void> {
    await this.#ask('initialize', {
      protocolVersion: '2025-03-26',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    await this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  tools = (): Promise<unknown> => this.#ask('tools/list', {});

  call = (name: string, input: Record<string, unknown>): Promise<unknown> =>
    this.#ask('tools/call', { name, arguments: input });

  async #ask(method: string, params: unknown): Promise<unknown> {
    this.#count += 1;
    const text = await this.#send({ jsonrpc: '2.0', id: this.#count, method, params });
    const data = /^data: (.+)$/m.exec(text)?.[1] ?? text;
    const answer: unknown = JSON.parse(data);
    const error = at(answer, 'error');
    if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return at(answer, 'result');
  }

  async #send(message: unknown): Promise<string> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(this.#session ? { 'mcp-session-id': this.#session } : {}),
      },
      body: JSON.stringify(message),
    });
    this.#session = response.headers.get('mcp-session-id') ?? this.#session;
    const text = await response.text();
    if (!response.ok) throw new Error(`${this.#url} answered ${response.status}: ${text}`);
    return text;
  }
}
