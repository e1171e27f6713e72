import {
  type IExecuteFunctions,
  type IHookFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type ITriggerFunctions,
  type ITriggerResponse,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { authenticationParameter, nodeCredentials } from '../shared/authentication.ts';
import { searchMethods } from '../shared/choices/methods.ts';
import { triggerDescription } from '../shared/generated/trigger-description.ts';
import { nodeError } from '../shared/node-error.ts';
import { answers } from '../shared/trigger/answers.ts';
import { catchUp } from '../shared/trigger/catch-up.ts';
import { checkHook, createHook, deleteHook } from '../shared/trigger/hook-life.ts';
import { eventsToCatchUp } from '../shared/trigger/missed-events.ts';
import { receiveDelivery } from '../shared/trigger/receive-delivery.ts';

export class DealkeepTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Dealkeep Trigger',
    name: 'dealkeepTrigger',
    icon: { light: 'file:../../icons/dealkeep.svg', dark: 'file:../../icons/dealkeep.dark.svg' },
    group: ['trigger'],
    // Both do the same, but in each request to a trigger of version 1 n8n evaluates an expression, in a sandbox made for it.
    version: [1, 2],
    defaultVersion: 2,
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
        responseData: answers.started,
      },
    ],
    properties: [
      authenticationParameter,
      ...triggerDescription,
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add Option',
        default: {},
        options: [
          {
            displayName: 'Catch Up',
            name: 'catchUp',
            type: 'boolean',
            default: false,
            displayOptions: { show: { '/events': eventsToCatchUp } },
            description:
              'Whether to start the workflow, when it is published again, with the records that were created or updated while it was not published. They come event by event, the oldest first, at most 100 in one execution. Of other events Dealkeep keeps no list that could be asked afterwards, so they are not caught up.',
          },
          {
            displayName: 'Output',
            name: 'output',
            type: 'options',
            options: [
              {
                name: 'Full Envelope',
                value: 'envelope',
                description: 'The event as it was delivered, with the record under data',
              },
              {
                name: 'Record',
                value: 'record',
                description: 'The fields of the record, with the ID, type and time of the event',
              },
            ],
            default: 'record',
            description: 'What the workflow receives',
          },
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
        ],
      },
    ],
  };

  methods = { listSearch: searchMethods };

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

  /** n8n calls this on publishing, and on its own start, when catching up goes on that was interrupted. */
  async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
    try {
      const end = await catchUp(this, (error) => this.emitError(nodeError(this.getNode(), error)));
      return { closeFunction: end };
    } catch (error) {
      throw nodeError(this.getNode(), error);
    }
  }

  /** Passes on what the delivery brought. Without this n8n would wait for `trigger` in a test. */
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    return [this.getInputData()];
  }
}
