import { randomUUID } from 'node:crypto';
import {
  act,
  ask,
  findOrCreate,
  hooks,
  list,
  perform,
  type Setting,
  type Values,
} from '../platform/setting.ts';
import { makeZap, type Zap } from '../platform/zap.ts';

type Kind = 'open' | 'won' | 'lost';
interface Pipeline {
  readonly id: string;
  readonly name: string;
  readonly is_default: boolean;
  readonly stages: readonly { readonly id: string; readonly name: string; readonly kind: Kind }[];
}

/** A name that no other test uses. */
export const unique = (name: string): string => `${name} ${randomUUID().slice(0, 8)}`;

/** What the tests of one group work with: a setting of their own, and what is often done in it. */
export type World = ReturnType<typeof makeWorld>;

export function makeWorld(settingFor: () => Promise<Setting>) {
  let current: { setting: Setting; pipeline: Pipeline } | undefined;
  const now = () => {
    if (!current) throw new Error('The world is not open yet.');
    return current;
  };
  return {
    open: async (): Promise<void> => {
      const setting = await settingFor();
      const pipelines = await ask<Pipeline[]>(setting, 'GET', '/pipelines');
      const pipeline = pipelines.find(({ is_default: isDefault }) => isDefault);
      if (!pipeline) throw new Error('The organization has no default pipeline.');
      current = { setting, pipeline };
    },
    get setting() {
      return now().setting;
    },
    get platform() {
      return now().setting.platform;
    },
    get connection() {
      return now().setting.connection;
    },
    get receiver() {
      return now().setting.receiver;
    },
    get pipeline() {
      return now().pipeline;
    },
    stage: (kind: Kind, index = 0) => {
      const found = now().pipeline.stages.filter((each) => each.kind === kind)[index];
      if (!found) throw new Error(`There is no ${kind} stage.`);
      return found;
    },
    ask: <Answer = Values>(method: string, path: string, body?: Values) =>
      ask<Answer>(now().setting, method, path, body),
    perform: (method: string, input: Values) => perform(now().setting, method, input),
    act: (key: string, input: Values) => act(now().setting, key, input),
    findOrCreate: (pair: string, input: Values) => findOrCreate(now().setting, pair, input),
    list: (method: string, input: Values, meta?: Values) => list(now().setting, method, input, meta),
    zap: (trigger: string, input: Values = {}): Zap => {
      const { platform, receiver, connection } = now().setting;
      return makeZap(platform, receiver, connection, trigger, input);
    },
    /** Any record of a list, such as the demo has. */
    some: async (path: string, query = ''): Promise<Values> => {
      const [record] = await ask<Values[]>(now().setting, 'GET', `${path}?limit=1${query}`);
      if (!record) throw new Error(`${path} is empty.`);
      return record;
    },
    newLead: (body: Values = {}) => ask(now().setting, 'POST', '/leads', { name: unique('Bikes'), ...body }),
    hooks: () => hooks(now().setting),
  };
}
