import type { IHookFunctions } from 'n8n-workflow';
import { isRecord, type JsonRecord } from '../record.ts';

/** What a trigger remembers with its workflow, by key; a `Map` in tests. */
export interface Memory {
  get(key: string): unknown;
  set(key: string, value: JsonRecord[string]): unknown;
  delete(key: string): unknown;
}

export type MemoryContext = Pick<IHookFunctions, 'getNode' | 'getWorkflowStaticData'>;

/** Where a node is remembered beside all others of its workflow: by its id, which n8n keeps when it is renamed. */
export const placeOf = (context: Pick<MemoryContext, 'getNode'>): string =>
  `dealkeep ${context.getNode().id}`;

/**
 * What the node remembers, whatever its name. n8n's own memory of a node is kept by the name, so that a renamed one would
 * have forgotten everything. What stands there, of earlier versions of this package, is taken over with the first change.
 *
 * Each change sets a whole value at the top of the workflow's memory: n8n does not see what changes inside.
 */
export class NodeMemory implements Memory {
  readonly #all: JsonRecord;
  readonly #byName: JsonRecord;
  readonly #place: string;

  constructor(context: MemoryContext) {
    this.#all = context.getWorkflowStaticData('global');
    this.#byName = context.getWorkflowStaticData('node');
    this.#place = placeOf(context);
  }

  get #values(): JsonRecord {
    const values = this.#all[this.#place];
    return isRecord(values) ? values : this.#byName;
  }

  get(key: string): unknown {
    return this.#values[key];
  }

  set(key: string, value: JsonRecord[string]): void {
    this.#change({ ...this.#values, [key]: value });
  }

  delete(key: string): void {
    const { [key]: forgotten, ...rest } = this.#values;
    if (forgotten !== undefined) this.#change(rest);
  }

  #change(values: JsonRecord): void {
    this.#all[this.#place] = values;
    for (const key of Object.keys(this.#byName)) delete this.#byName[key];
  }
}
