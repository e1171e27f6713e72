/** What bytes mean when they have come, and have not been passed on. */
export interface Step {
  /** The statement as it was sent, in one line. */
  readonly statement: string;
  /** `asked`: the database has not seen it. `answered`: it has done it, and the asker has not heard so. */
  readonly state: 'asked' | 'answered';
}

/** Bytes to pass on, and the step that they complete. */
export interface Part {
  readonly bytes: Buffer;
  readonly step?: Step;
}

/** What the asker waits for: an answer to a whole statement, or what Flush brings of a description. */
interface Expected {
  readonly statement: string;
  readonly end: 'ready' | 'described';
}

/**
 * Takes the two streams of a PostgreSQL connection apart where a question or its answer is complete (PostgreSQL
 * manual, 55.7 Message Formats). The start of the connection and descriptions of statements, which do nothing, are
 * no steps.
 */
export class MessageReader {
  /** The process of the database at the other end. */
  backend = 0;
  #started = false;
  #ready = false;
  readonly #names = new Map<string, string>();
  readonly #expected: Expected[] = [];
  #statement = '';
  readonly #askedBytes = new Pending();
  readonly #answeredBytes = new Pending();

  /** Of what the client sends. */
  readonly asked = (chunk: Buffer): Part[] =>
    this.#askedBytes.add(
      chunk,
      () => this.#started,
      (type, body, bytes) => {
        this.#started = true;
        if (type === 'P') {
          const [name = '', statement = ''] = body.toString().split('\0');
          this.#names.set(name, statement);
          this.#statement = statement;
        }
        if (type === 'B') this.#statement = this.#names.get(body.toString().split('\0')[1] ?? '') ?? '';
        if (type === 'Q') this.#statement = body.toString().split('\0')[0] ?? '';
        // Rows of a `COPY` belong to a statement that was passed on before.
        if (/^[dcf]$/.test(type)) return { bytes };
        if (type !== 'Q' && type !== 'S' && type !== 'H') return undefined;
        const statement = this.#statement.replaceAll(/\s+/g, ' ').trim();
        this.#expected.push({ statement, end: type === 'H' ? 'described' : 'ready' });
        return type === 'H' ? { bytes } : { bytes, step: { statement, state: 'asked' } };
      },
    );

  /** Of what the server sends. */
  readonly answered = (chunk: Buffer): Part[] =>
    this.#answeredBytes.add(
      chunk,
      () => true,
      (type, body, bytes) => {
        if (type === 'K') this.backend = body.readInt32BE(0);
        if (!this.#ready) {
          this.#ready = type === 'Z';
          return { bytes };
        }
        const [next] = this.#expected;
        const ends = next?.end === 'described' ? /^[TnE]$/ : /^Z$/;
        // A session that is ended says so unasked, and sends nothing more.
        if (!next) return { bytes };
        // A `COPY` goes on only when it is heard that it may.
        if (next.end === 'ready' && /^[GHdc]$/.test(type)) return { bytes };
        if (!ends.test(type)) return undefined;
        this.#expected.shift();
        const { statement, end } = next;
        return end === 'described' ? { bytes } : { bytes, step: { statement, state: 'answered' } };
      },
    );
}

const headBytes = 5;

/** Bytes that came, until they make a part. */
class Pending {
  #unread = Buffer.alloc(0);
  #part = Buffer.alloc(0);

  /** `part` answers what is complete with a message, or undefined when more belongs to it. */
  add(
    chunk: Buffer,
    typed: () => boolean,
    part: (type: string, body: Buffer, bytes: Buffer) => Part | undefined,
  ): Part[] {
    this.#unread = Buffer.concat([this.#unread, chunk]);
    const parts: Part[] = [];
    for (;;) {
      // The very first message of a client has no type.
      const typeBytes = typed() ? 1 : 0;
      if (this.#unread.length < headBytes) break;
      const length = typeBytes + this.#unread.readInt32BE(typeBytes);
      if (this.#unread.length < length) break;
      const message = this.#unread.subarray(0, length);
      this.#unread = this.#unread.subarray(length);
      this.#part = Buffer.concat([this.#part, message]);
      const type = typeBytes === 1 ? String.fromCharCode(message[0] ?? 0) : '';
      const complete =
        part(type, message.subarray(typeBytes + 4), this.#part) ??
        (type === '' || type === 'p' || type === 'X' ? { bytes: this.#part } : undefined);
      if (!complete) continue;
      this.#part = Buffer.alloc(0);
      parts.push(complete);
    }
    return parts;
  }
}
