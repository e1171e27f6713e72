import {
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { nodeCredentials } from '../shared/authentication.ts';
import { loadMethods } from '../shared/choices/methods.ts';
import { checkHook, createHook, deleteHook } from '../shared/trigger/hook-life.ts';
import { receiveDelivery } from '../shared/trigger/receive-delivery.ts';
import { outputOption, triggerProperties } from '../shared/trigger/trigger-properties.ts';

export class DealkeepTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Dealkeep Trigger',
    name: 'dealkeepTrigger',
    icon: { light: 'file:../../icons/dealkeep.svg', dark: 'file:../../icons/dealkeep.dark.svg' },
    group: ['trigger'],
    // The only one. Were it called 1, n8n would evaluate an expression for each delivery, in a sandbox made for
    // that.
    version: 2,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when something happens in Dealkeep',
    defaults: { name: 'Dealkeep Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: nodeCredentials,
    webhooks: [
      {
        name: 'default',
        httpMethod: 'POST',
        path: 'webhook',
        responseMode: 'onReceived',
      },
    ],
    properties: triggerProperties([
      {
        displayName: 'Catch Up',
        name: 'catchUp',
        type: 'boolean',
        default: false,
        description:
          'Whether to start the workflow, once it is published again, also with what happened while it was not: every chosen event of the last 31 days, once and in order. It comes with the first event after the publication. To have it at once, use the Dealkeep Poll Trigger.',
      },
      outputOption,
      {
        displayName: 'Skip Duplicates',
        name: 'skipDuplicates',
        type: 'boolean',
        default: true,
        description:
          'Whether to start the workflow only once for an event that is delivered again. Deliveries are repeated when an answer is lost.',
      },
      {
        displayName: 'Verify Signature',
        name: 'verifySignature',
        type: 'boolean',
        default: true,
        description:
          'Whether to refuse deliveries that are not signed with the secret of this subscription. Turn off only for debugging.',
      },
    ]),
  };

  methods = { loadOptions: loadMethods };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return await checkHook(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return await createHook(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return await deleteHook(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    return await receiveDelivery(this);
  }
}
