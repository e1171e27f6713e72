import { limits } from '@dealkeep/contract';
import {
  bodiesHeldBytes,
  bodyGrowsByBytes,
  openBodiesHeldBytes,
  openBodiesOfNetworkHeldBytes,
} from '../operating-limits.ts';
import { clientNetwork } from '../outgoing/client-network.ts';
import { Problem } from '../problem.ts';

/** Who sends a body: a credential or a session of an organization; before that is known, somebody at an address. */
export type Sender =
  | { readonly credential: string; readonly organization: string }
  | { readonly address: string | undefined };

/** How many bytes of bodies are held at once, and for how long of one that does not grow. */
export interface ReceptionBounds {
  readonly credentialBytes: number;
  readonly organizationBytes: number;
  /** From one network, before a credential is known. */
  readonly networkBytes: number;
  /** From all strangers together. */
  readonly openBytes: number;
  readonly processBytes: number;
  /** A body that did not grow for so long is given up. */
  readonly stalledMs: number;
}

const usualBounds: ReceptionBounds = {
  credentialBytes: limits.heldBytesPerCredential,
  organizationBytes: limits.heldBytesPerOrganization,
  networkBytes: openBodiesOfNetworkHeldBytes,
  openBytes: openBodiesHeldBytes,
  processBytes: bodiesHeldBytes,
  stalledMs: limits.stalledBodySeconds * 1000,
};

/** Bytes that are counted together. */
interface Share {
  readonly name: string;
  readonly most: number;
  readonly refusal: () => Problem;
}

/** What is answered with `Retry-After`: bodies that come in order are there by then. */
const retryAfterSeconds = 5;

const tooMuchOf = (most: number) => (): Problem =>
  new Problem('request.too_much_at_once', { max: most / 1024 / 1024, seconds: retryAfterSeconds });
const full = (): Problem => new Problem('service.unavailable');

/**
 * Counts the bytes of bodies that a process holds, from their first byte until they are answered: nobody's may take
 * more memory than their share, and all together no more than the process has room for. A body that does not grow is
 * given up.
 */
export class Reception {
  readonly #bounds: ReceptionBounds;
  /** Bytes by the name of their share. */
  readonly #held = new Map<string, number>();
  readonly #arrivals = new Set<Arrival>();
  #sweep: NodeJS.Timeout | undefined;

  constructor(bounds: Partial<ReceptionBounds> = {}) {
    this.#bounds = { ...usualBounds, ...bounds };
  }

  /** All bytes that are held. */
  get heldBytes(): number {
    return this.#held.get(whole) ?? 0;
  }

  /** Begins to count a body. Its `end` has to be called, whatever becomes of it. */
  begin(sender: Sender): Arrival {
    const shares = this.#sharesOf(sender);
    const arrival: Arrival = new Arrival(
      (bytes) => this.#take(shares, bytes),
      () => this.#arrivals.delete(arrival),
    );
    this.#arrivals.add(arrival);
    this.#sweep ??= setInterval(() => this.#endStalled(), this.#bounds.stalledMs / 4).unref();
    return arrival;
  }

  #sharesOf(sender: Sender): Share[] {
    const { credentialBytes, organizationBytes, networkBytes, openBytes, processBytes } = this.#bounds;
    const all = { name: whole, most: processBytes, refusal: full };
    if ('credential' in sender) {
      return [
        { name: sender.credential, most: credentialBytes, refusal: tooMuchOf(credentialBytes) },
        { name: sender.organization, most: organizationBytes, refusal: tooMuchOf(organizationBytes) },
        all,
      ];
    }
    const network = clientNetwork(sender.address ?? '') ?? 'unknown';
    return [
      { name: `network ${network}`, most: networkBytes, refusal: tooMuchOf(networkBytes) },
      { name: 'strangers', most: openBytes, refusal: full },
      all,
    ];
  }

  /** Adds to all shares or to none. Raises RATE_LIMITED, or SERVICE_UNAVAILABLE where the process has no room. */
  #take(shares: readonly Share[], bytes: number): void {
    if (bytes > 0) {
      const overfull = shares.find(({ name, most }) => (this.#held.get(name) ?? 0) + bytes > most);
      if (overfull) throw overfull.refusal();
    }
    for (const { name } of shares) {
      const held = (this.#held.get(name) ?? 0) + bytes;
      if (held === 0) this.#held.delete(name);
      else this.#held.set(name, held);
    }
  }

  #endStalled(): void {
    const since = performance.now() - this.#bounds.stalledMs;
    for (const arrival of this.#arrivals) arrival.endIfStalledSince(since);
    if (this.#arrivals.size > 0) return;
    clearInterval(this.#sweep);
    this.#sweep = undefined;
  }
}

const whole = 'all';

/** One body on its way, and the bytes of it that are held. */
export class Arrival {
  readonly #count: (bytes: number) => void;
  readonly #settled: () => void;
  /** Rejects when the body is given up because it does not grow: BAD_REQUEST. */
  readonly stalled: Promise<never>;
  readonly #giveUp: (problem: Problem) => void;
  #first: Uint8Array | undefined;
  #grown: Buffer<ArrayBuffer> | undefined;
  #size = 0;
  /** With what was dropped. */
  #came = 0;
  #seen = { came: 0, at: performance.now() };

  constructor(count: (bytes: number) => void, settled: () => void) {
    this.#count = count;
    this.#settled = settled;
    const { promise, reject } = Promise.withResolvers<never>();
    // Raised to whoever waits for the body; nobody does once it is there.
    promise.catch(() => {});
    this.stalled = promise;
    this.#giveUp = reject;
  }

  /**
   * Takes a part of the body over: nobody else may use it afterwards. Raises RATE_LIMITED or SERVICE_UNAVAILABLE
   * where there is no room for it.
   */
  add(part: Uint8Array): void {
    const { length } = part;
    this.#came += length;
    this.#count(length);
    if (this.#size === 0) this.#first = part;
    else this.#append(part);
    this.#size += length;
  }

  /** Lets go of what came, and of this part, of a body that is refused. */
  drop(part: Uint8Array): void {
    this.#came += part.length;
    free(part);
    this.#release();
  }

  /** The body has come whole. */
  complete(): Buffer {
    this.#settled();
    if (this.#grown) return this.#grown.subarray(0, this.#size);
    return this.#first
      ? Buffer.from(this.#first.buffer, this.#first.byteOffset, this.#size)
      : Buffer.alloc(0);
  }

  /** The request is answered, or its client is gone: nothing of the body is needed any more. */
  end(): void {
    this.#settled();
    this.#release();
  }

  endIfStalledSince(since: number): void {
    if (this.#came - this.#seen.came >= bodyGrowsByBytes)
      this.#seen = { came: this.#came, at: performance.now() };
    if (this.#seen.at > since) return;
    this.#settled();
    this.#giveUp(new Problem('request.too_slow'));
  }

  /**
   * Copied into one block: a body in a million parts of one byte would take two hundred times its size. Of a block
   * no more takes memory than was written to.
   */
  #append(part: Uint8Array): void {
    const needed = this.#size + part.length;
    if (!this.#grown || this.#grown.length < needed) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * needed, leastBlock));
      larger.set(this.#grown?.subarray(0, this.#size) ?? this.#first ?? []);
      free(this.#grown);
      free(this.#first);
      this.#grown = larger;
      this.#first = undefined;
    }
    this.#grown.set(part, this.#size);
    free(part);
  }

  #release(): void {
    free(this.#grown);
    free(this.#first);
    this.#grown = undefined;
    this.#first = undefined;
    this.#count(-this.#size);
    this.#size = 0;
  }
}

const leastBlock = 16 * 1024;

/** Smaller ones are left to the collection of garbage. */
const leastFreed = 4096;

/**
 * Gives memory back at once. An idle process would keep it until it collects garbage again; and what thousands of
 * parts have taken meanwhile lies in so many pieces between other memory that the system never gets it back.
 */
function free(part: Uint8Array | undefined): void {
  if (!part || part.byteLength < leastFreed || !(part.buffer instanceof ArrayBuffer)) return;
  // What is a piece of something larger is not ours alone.
  if (part.byteLength === part.buffer.byteLength) part.buffer.transfer(0);
}
