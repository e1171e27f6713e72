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
export const placeOf = (nodeId: string): string => `dealkeep ${nodeId}`;

/** Which node last remembered something under a name, and the name under which it did. */
const idKey = 'nodeId';
const nameKey = 'nodeName';

/**
 * What the node remembers, whatever its name. n8n's own memory of a node is kept by the name, so that a renamed one
 * would have forgotten everything. What stands there, of earlier versions of this package, is taken over with the
 * first change. There remains the id of the node that has the name: one that is pasted or imported in its place,
 * with another id, goes on with what it remembered.
 *
 * Each change sets a whole value at the top of the workflow's memory: n8n does not see what changes inside.
 */
export class NodeMemory implements Memory {
  readonly #all: JsonRecord;
  readonly #byName: JsonRecord;
  readonly #id: string;
  readonly #name: string;

  constructor(context: MemoryContext) {
    this.#all = context.getWorkflowStaticData('global');
    this.#byName = context.getWorkflowStaticData('node');
    ({ id: this.#id, name: this.#name } = context.getNode());
    const own = this.#all[placeOf(this.#id)];
    if (isRecord(own) && own[nameKey] !== this.#name) this.#change(own);
  }

  get #values(): JsonRecord {
    const own = this.#all[placeOf(this.#id)];
    if (isRecord(own)) return own;
    const former = this.#byName[idKey];
    if (typeof former !== 'string') return this.#byName;
    // A node that has another name by now remembers for itself.
    const left = this.#all[placeOf(former)];
    return isRecord(left) && left[nameKey] === this.#name ? left : {};
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
    this.#all[placeOf(this.#id)] = { ...values, [nameKey]: this.#name };
    if (this.#byName[idKey] === this.#id) return;
    for (const key of Object.keys(this.#byName)) delete this.#byName[key];
    this.#byName[idKey] = this.#id;
  }
}
