import {
  createTrigger,
  DEDUPE_KEY_PROPERTY,
  type TriggerHookContext,
  TriggerStrategy,
} from '@activepieces/pieces-framework';
import {
  deliveredEvent,
  latestRecords,
  runOfEvent,
  subscribe,
  subscriptionIn,
  type TriggerDeclaration,
  triggerKey,
  triggerSample,
  unsubscribe,
} from '@dealkeep/connectors';
import { dealkeepAuth } from '../auth.ts';
import { apiOf, isUnauthorized } from '../requests/api.ts';
import { schemaOfTrigger } from './output.ts';
import { rawTextOf } from './raw-text.ts';
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
    props: triggerProperties(declaration),
    sampleData: triggerSample(declaration),
    outputSchema: schemaOfTrigger(declaration),
    async onEnable({ auth, propsValue, store, webhookUrl }) {
      const subscription = await subscribe(apiOf(auth.props), {
        targetUrl: webhookUrl,
        name: `Activepieces: ${declaration.label}`,
        declaration,
        input: triggerInput(propsValue),
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
    test: ({ auth, propsValue }) => latestRecords(apiOf(auth.props), declaration, triggerInput(propsValue)),
  });
}

type Auth = TriggerHookContext<typeof dealkeepAuth, Record<string, never>, TriggerStrategy.WEBHOOK>['auth'];

/** A key that was revoked can remove nothing, and must not keep the flow from being turned off. */
async function removed(auth: Auth, id: string): Promise<void> {
  try {
    await unsubscribe(apiOf(auth.props), id);
  } catch (error) {
    if (!isUnauthorized(error)) throw error;
    console.error(
      'The webhook was not removed: the API Key is not valid any more. Remove it in Dealkeep, under Integrations, Webhooks.',
    );
  }
}
