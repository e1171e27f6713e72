import type {
  DropdownState,
  InputPropertyMap,
  PropertyContext,
  Trigger,
} from '@activepieces/pieces-framework';
import { type ActionContext, contextFor, piece } from './platform.ts';
import { processProps } from './process-props.ts';

export type Values = Readonly<Record<string, unknown>>;

/** A connection as the platform keeps it. */
export interface Connection {
  readonly type: 'CUSTOM_AUTH';
  readonly props: { readonly base_url: string; readonly api_key: string };
}

export const connectionTo = (base_url: string, api_key: string): Connection => ({
  type: 'CUSTOM_AUTH',
  props: { base_url, api_key },
});

/** What the editor found out when the step was opened, by the key of the property that asked. */
type Opened = Readonly<Record<string, InputPropertyMap>>;

export interface StepOptions {
  /** The id of the run; another one for each step where it is absent. */
  readonly runId?: string;
  readonly opened?: Opened;
}

/** An id as the platform makes them. */
export const newRunId = (): string =>
  Array.from({ length: 21 }, () => Math.floor(Math.random() * 36).toString(36)).join('');

const server = { apiUrl: 'http://127.0.0.1:3000/', publicUrl: 'http://127.0.0.1:4200/', token: 'engine' };
const project = { id: 'project', externalId: async () => undefined };
const flows = {
  list: async () => ({ data: [], next: null, previous: null }),
  current: { id: 'flow', version: { id: 'version' } },
};
const connections = { get: async () => null };

/** Runs a step of a flow. */
export async function runAction(
  name: string,
  auth: Connection,
  input: Values,
  { runId = newRunId(), opened = {} }: StepOptions = {},
): Promise<Values> {
  const action = piece.getAction(name);
  if (!action) throw new Error(`The piece has no action ${name}.`);
  const context: ActionContext = {
    executionType: Object('BEGIN'),
    auth: Object(auth),
    propsValue: { ...processProps(action.props, input, opened), auth },
    store: storeOf(new Map()),
    step: { name: 'step_1' },
    run: Object({ id: runId }),
    files: { write: async () => '' },
    output: { update: async () => {} },
    tags: { add: async () => {} },
    agent: { tools: async () => ({}) },
    server,
    project,
    flows,
    connections,
  };
  return Object(await action.run(contextFor(context)));
}

const storeOf = (kept: Map<string, unknown>) => ({
  put: async <T>(key: string, value: T): Promise<T> => {
    // What is kept goes through JSON.
    kept.set(key, JSON.parse(JSON.stringify(value)));
    return value;
  },
  get: async <T>(key: string): Promise<T | null> =>
    Object(kept.has(key) ? { value: kept.get(key) } : { value: null }).value,
  delete: async (key: string): Promise<void> => {
    kept.delete(key);
  },
});

/** A delivery as the platform hands it to a trigger. */
export interface Payload {
  readonly body: unknown;
  readonly rawBody?: unknown;
  readonly headers: Readonly<Record<string, string>>;
  readonly queryParams: Readonly<Record<string, string>>;
}

export const payloadOf = ({ body, headers }: { body: string; headers: Record<string, string> }): Payload => ({
  body: JSON.parse(body),
  rawBody: body,
  headers,
  queryParams: {},
});

/** The trigger of a flow, and what the platform keeps of it. */
export class FlowTrigger {
  readonly trigger: Trigger;
  readonly kept = new Map<string, unknown>();
  readonly #auth: Connection | undefined;
  readonly #webhookUrl: string;
  readonly #input: Values;

  constructor(name: string, auth: Connection | undefined, webhookUrl: string, input: Values = {}) {
    const trigger = piece.getTrigger(name);
    if (!trigger) throw new Error(`The piece has no trigger ${name}.`);
    this.trigger = trigger;
    this.#auth = auth;
    this.#webhookUrl = webhookUrl;
    this.#input = input;
  }

  enable = (): Promise<void> => this.trigger.onEnable(this.#context());
  disable = (): Promise<void> => this.trigger.onDisable(this.#context());
  run = (payload: Payload): Promise<Values[]> => this.trigger.run(this.#context(payload)).then(records);
  test = (): Promise<Values[]> => this.trigger.test(this.#context()).then(records);
  handshake = () => this.trigger.onHandshake(this.#context());

  #context(payload: Payload = { body: {}, headers: {}, queryParams: {} }) {
    return {
      auth: this.#auth && Object(this.#auth),
      propsValue: { ...processProps(this.trigger.props, this.#input), auth: this.#auth },
      store: storeOf(this.kept),
      step: { name: this.trigger.name },
      app: { createListeners: () => {} },
      setSchedule: () => {},
      webhookUrl: this.#webhookUrl,
      isRepublish: false,
      payload,
      files: { write: async () => '' },
      server,
      project,
      flows,
      connections,
    };
  }
}

const records = (items: unknown[]): Values[] => items.map((item) => Object(item));

/** What a dropdown shows in the editor. */
export async function optionsOf(
  step: string,
  key: string,
  auth: Connection | undefined,
  { input = {}, search }: { input?: Values; search?: string } = {},
): Promise<DropdownState<unknown>> {
  const property = propertyOf(step, key);
  if (property.type !== 'DROPDOWN' && property.type !== 'MULTI_SELECT_DROPDOWN') {
    throw new Error(`${step}.${key} is no dropdown.`);
  }
  return property.options(given(input, auth), propertyContext(search));
}

/** The properties that a step finds out when it is opened. */
export async function openedBy(
  step: string,
  key: string,
  auth: Connection | undefined,
  input: Values = {},
): Promise<InputPropertyMap> {
  const property = propertyOf(step, key);
  if (property.type !== 'DYNAMIC') throw new Error(`${step}.${key} is not found out.`);
  return property.props(given(input, auth), propertyContext());
}

/** Before a connection is chosen there is none. */
const given = (input: Values, auth: Connection | undefined) => ({
  ...input,
  ...(auth ? { auth: Object(auth) } : {}),
});

function propertyOf(step: string, key: string) {
  const property = (piece.getAction(step) ?? piece.getTrigger(step))?.props[key];
  if (!property) throw new Error(`${step} has no property ${key}.`);
  return property;
}

const propertyContext = (search?: string): PropertyContext => ({
  ...(search === undefined ? {} : { searchValue: search }),
  server,
  project,
  flows,
  connections,
});
