import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { authenticationParameter, nodeCredentials } from '../shared/authentication.ts';
import { loadMethods, searchMethods } from '../shared/choices/methods.ts';
import { actionDescription } from '../shared/generated/action-description.ts';
import { failedItem, nodeError } from '../shared/node-error.ts';
import { runOperation } from '../shared/operations/run-operation.ts';
import { toolDescriptions } from '../shared/tool-descriptions.ts';
import { DealkeepApi } from '../shared/transport/request.ts';
import { workflowPatience } from '../shared/transport/retry-delay.ts';

export class Dealkeep implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Dealkeep',
    name: 'dealkeep',
    icon: { light: 'file:../../icons/dealkeep.svg', dark: 'file:../../icons/dealkeep.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Read and change companies, contacts, leads and everything else in Dealkeep',
    defaults: { name: 'Dealkeep' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: nodeCredentials,
    properties: [...toolDescriptions(actionDescription), authenticationParameter, ...actionDescription],
  };

  methods = { listSearch: searchMethods, loadOptions: loadMethods };

  /** Items run one after another: their order is kept, and the rate limit is met calmly. */
  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData().length;
    let item = 0;
    const api = new DealkeepApi(this, workflowPatience, () => ` has done ${item} of ${items} items and`);
    const output: INodeExecutionData[] = [];
    for (; item < items; item++) {
      try {
        const records = await runOperation(this, api, item);
        output.push(
          ...this.helpers.constructExecutionMetaData(this.helpers.returnJsonArray(records), {
            itemData: { item },
          }),
        );
      } catch (error) {
        const failure = nodeError(this.getNode(), error, item);
        if (!this.continueOnFail()) throw failure;
        output.push(failedItem(failure, item));
      }
    }
    return [output];
  }
}
