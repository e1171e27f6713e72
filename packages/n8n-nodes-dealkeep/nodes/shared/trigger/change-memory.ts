import { createHash } from 'node:crypto';
import { type JsonRecord, valueAt } from '../record.ts';
import type { EventTable } from '../tables.ts';

/** Enough for a busy minute before a workflow was unpublished, which catching up reads again. */
const remembered = 1000;

type StaticData = { [key: string]: unknown };

/** Of one node; when catching up fails, n8n tries again without what the static data remembered of it. */
const rememberedInProcess = 20_000;

/** For deliveries that arrive while the workflow is catching up, and for n8n's next try of that. */
const ofThisProcess = new Map<string, Set<string>>();

/** Names of what an event says: that a record was created, or that it was updated to what it is now. */
export function changeNames(event: EventTable, id: string, data: JsonRecord): readonly string[] {
  const updated = `${event.entity} ${id} ${String(valueAt(data, 'updated_at'))}`;
  // Who has received a new record as it is now needs no update to that.
  return (event.updated ? [updated] : [`${event.entity} ${id}`, updated]).map(shortened);
}

const shortened = (name: string): string =>
  createHash('sha256').update(name).digest('base64url').slice(0, 12);

/** Which changes of records the workflow has received, so that catching up brings nothing twice. */
export class ChangeMemory {
  readonly #staticData: StaticData;
  readonly #process: Set<string>;

  /** @param node names the node among all nodes of this n8n */
  constructor(staticData: StaticData, node: string) {
    this.#staticData = staticData;
    this.#process = ofThisProcess.get(node) ?? new Set();
    ofThisProcess.set(node, this.#process);
  }

  /** Whether the change named first was received, in either way. */
  isKnown([name = '']: readonly string[]): boolean {
    return this.#has(name) || this.#has(caughtUp(name));
  }

  /** Whether catching up brought the change, which is now delivered too. */
  isCaughtUp([name = '']: readonly string[]): boolean {
    return this.#has(caughtUp(name));
  }

  remember(names: readonly string[], way: 'delivered' | 'caught up'): void {
    const added = way === 'delivered' ? names : names.map(caughtUp);
    this.#staticData['changes'] = [...this.#stored(), ...added].slice(-remembered);
    for (const each of added) this.#process.add(each);
    for (const each of this.#process) {
      if (this.#process.size <= rememberedInProcess) break;
      this.#process.delete(each);
    }
  }

  /** Takes back what catching up could not bring after all. */
  forget(names: readonly string[]): void {
    const taken = new Set(names.map(caughtUp));
    this.#staticData['changes'] = this.#stored().filter((name) => !taken.has(name));
    for (const each of taken) this.#process.delete(each);
  }

  #has(name: string): boolean {
    return this.#process.has(name) || this.#stored().includes(name);
  }

  #stored(): string[] {
    const stored = this.#staticData['changes'];
    return Array.isArray(stored) ? stored.map(String) : [];
  }
}

const caughtUp = (name: string): string => `+${name}`;
