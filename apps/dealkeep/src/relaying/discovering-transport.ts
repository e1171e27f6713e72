import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from '@modelcontextprotocol/server';

/**
 * Messages of a client, handed on as soon as something is found out that they need. As long as that cannot be found out,
 * requests are answered by the error, each after another try: a server that was out of reach may be back.
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
      this.#before = this.#before.then(() => this.#receive(message));
    };
    this.#client.onerror = (error) => this.onerror?.(error);
    this.#client.onclose = () => this.onclose?.();
    return this.#client.start();
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#client.send(message);
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
      await this.#client.send({ jsonrpc: '2.0', id: message.id, error: told });
    }
  }
}
