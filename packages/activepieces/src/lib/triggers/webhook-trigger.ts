import {
  createTrigger,
  DEDUPE_KEY_PROPERTY,
  type OutputSchema,
  type TriggerHookContext,
  TriggerStrategy,
} from '@activepieces/pieces-framework';
import {
  type Api,
  deliveredEvent,
  fieldsOfTelling,
  filtersOf,
  givenOn,
  isApiRecord,
  isMixed,
  latestRecords,
  resolveInput,
  runOfEvent,
  subscribe,
  subscriptionIn,
  type TriggerDeclaration,
  toldBy,
  triggerKey,
  triggerSample,
  unsubscribe,
} from '@dealkeep/connectors';
import { dealkeepAuth } from '../auth.ts';
import { outputFieldsOf } from '../outputs/output-schema.ts';
import { handWritten } from '../properties/input.ts';
import { apiOf } from '../requests/api.ts';
import { triggerInput, triggerProperties } from './trigger-properties.ts';

const kept = 'subscription';

/** An instant trigger: the flow's own hook, verified deliveries, real events to test with. */
export function webhookTrigger(declaration: TriggerDeclaration) {
  return createTrigger({
    auth: dealkeepAuth,
    name: triggerKey(declaration),
    displayName: declaration.label,
    description: declaration.description,
    type: TriggerStrategy.WEBHOOK,
    aiMetadata: { description: aboutTrigger(declaration) },
    props: triggerProperties(declaration),
    sampleData: triggerSample(declaration),
    outputSchema: schemaOfTrigger(declaration),
    async onEnable({ auth, propsValue, store, webhookUrl }) {
      const api = apiOf(auth.props);
      const subscription = await subscribe(api, {
        targetUrl: webhookUrl,
        name: `Activepieces: ${declaration.label}`,
        declaration,
        input: await inputOf(api, declaration, propsValue),
      });
      await store.put(kept, subscription);
    },
    async onDisable({ auth, store }) {
      const subscription = subscriptionIn(await store.get(kept));
      if (subscription) await removed(auth, subscription.id);
      await store.delete(kept);
    },
    async run({ propsValue, payload, store }) {
      const subscription = subscriptionIn(await store.get(kept));
      const content = rawTextOf(payload);
      const event =
        subscription && deliveredEvent(subscription.secret, { headers: payload.headers, content });
      if (event === undefined || event === 'not genuine') {
        console.error('A delivery was ignored: its signature does not match this flow.');
        return [];
      }
      if (event === 'unknown event') {
        console.error('A delivery was ignored: it is no event that this version of the piece knows.');
        return [];
      }
      const output = runOfEvent(declaration, triggerInput(propsValue), event);
      // The platform starts one run for one key, however often an event is delivered.
      return output === undefined ? [] : [{ ...output, [DEDUPE_KEY_PROPERTY]: event.id }];
    },
    async test({ auth, propsValue }) {
      const api = apiOf(auth.props);
      return latestRecords(api, declaration, await inputOf(api, declaration, propsValue));
    },
  });
}

/** What agents are told: what starts the flow and when, what of it is the output, and what narrows it. */
function aboutTrigger(declaration: TriggerDeclaration): string {
  const filters = filtersOf(declaration).map(({ label }) => label);
  return [
    declaration.description,
    declaration.events.length > 1
      ? `Starts the flow once for each of these events, as soon as it happens: ${declaration.events.join(', ')}.`
      : `Starts the flow once for each event ${declaration.events[0]}, as soon as it happens.`,
    'The output is the record with event_id, event_type and event_timestamp.',
    ...(filters.length > 0 ? [`Can be limited by ${filters.join(', ')}.`] : []),
  ].join(' ');
}

/** What was filled in, with the tags that a filter names. */
function inputOf(api: Api, declaration: TriggerDeclaration, propsValue: Readonly<Record<string, unknown>>) {
  const input = triggerInput(propsValue);
  return resolveInput(api, filtersOf(declaration, input), input, handWritten);
}

type Auth = TriggerHookContext<typeof dealkeepAuth, Record<string, never>, TriggerStrategy.WEBHOOK>['auth'];

/**
 * Nothing keeps a flow from being turned off: what cannot be removed, also without a connection, is told in the log.
 */
async function removed(auth: Auth | undefined, id: string): Promise<void> {
  try {
    if (!auth) throw new Error('The connection was deleted.');
    await unsubscribe(apiOf(auth.props), id);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(
      `The webhook ${id} was not removed: ${reason} Remove it in Dealkeep, under Integrations, Webhooks.`,
    );
  }
}

interface Payload {
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * The body of a delivery as it came. Older releases of the platform hand on only what they read of it: written down
 * again it is the same text, or its signature does not match.
 */
function rawTextOf({ rawBody, body }: Payload): string {
  if (typeof rawBody === 'string') return rawBody;
  if (rawBody instanceof Uint8Array) return Buffer.from(rawBody).toString('utf8');
  // What became of a buffer on its way through a queue.
  if (isApiRecord(rawBody) && Array.isArray(rawBody['data'])) {
    return Buffer.from(rawBody['data']).toString('utf8');
  }
  return typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
}

/** The labels of the record's fields, and of what the event tells besides. */
function schemaOfTrigger(declaration: TriggerDeclaration): OutputSchema {
  const [first] = declaration.events;
  const told = toldBy(declaration);
  return {
    fields: [
      ...(first === undefined || isMixed(declaration) ? [] : outputFieldsOf(givenOn(first, told))),
      ...fieldsOfTelling(told).map(({ key, label, type }) =>
        type === 'datetime' ? { key, label, format: type } : { key, label },
      ),
    ],
  };
}
