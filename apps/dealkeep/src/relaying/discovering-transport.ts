import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';

/**
 * Messages of a client, handed on as soon as something is found out that they need. As long as that cannot be found
 * out, requests are answered by the error, each after another try: a server that was out of reach may be back.
 */
export class DiscoveringTransport<Found> implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #client: Transport;
  readonly #discover: () => Promise<Found>;
  #found: Found | undefined;
  /** Fulfilled when what came before is handed on. */
  #before = Promise.resolve();
  /** Requests of the client that are not answered yet. */
  readonly #open = new Set<unknown>();
  /** Requests to the client that it has not answered yet. */
  readonly #asked = new Set<unknown>();
  #settle: (() => void) | undefined;

  constructor(client: Transport, discover: () => Promise<Found>) {
    this.#client = client;
    this.#discover = discover;
  }

  get found(): Found {
    if (this.#found === undefined) throw new Error('A message was handed on too early');
    return this.#found;
  }

  start(): Promise<void> {
    this.#client.onmessage = (message) => {
      this.#note(message);
      this.#before = this.#before.then(() => this.#receive(message));
    };
    this.#client.onerror = (error) => this.onerror?.(error);
    this.#client.onclose = () => this.onclose?.();
    return this.#client.start();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message)) this.#asked.add(message.id);
    await this.#client.send(message);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#open.delete(message.id);
    this.#look();
  }

  /**
   * Fulfilled when every request that has come is answered. Called once the client says nothing more: a request that
   * asks the client something is given up then.
   */
  async whenAnswered(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#settle = resolve;
    this.#look();
    await promise;
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #receive(message: JSONRPCMessage): Promise<void> {
    try {
      this.#found ??= await this.#discover();
      this.onmessage?.(message);
    } catch (error) {
      const known = error instanceof ProtocolError;
      if (!known) this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      if (!isJSONRPCRequest(message)) return;
      const told = known
        ? { code: error.code, message: error.message }
        : { code: ProtocolErrorCode.InternalError, message: 'Something failed that nothing expected' };
      await this.send({ jsonrpc: '2.0', id: message.id, error: told });
    }
  }

  #note(message: JSONRPCMessage): void {
    // A subscription is open until the connection ends.
    if (isJSONRPCRequest(message) && message.method !== 'subscriptions/listen') this.#open.add(message.id);
    if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#asked.delete(message.id);
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') {
      this.#open.delete(message.params?.['requestId']);
    }
    this.#look();
  }

  #look(): void {
    if (this.#open.size <= this.#asked.size) this.#settle?.();
  }
}
