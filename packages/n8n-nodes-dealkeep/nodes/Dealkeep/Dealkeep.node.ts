import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { authenticationParameter, nodeCredentials } from '../shared/authentication.ts';
import { mappingMethods } from '../shared/choices/mapping-fields.ts';
import { loadMethods, searchMethods } from '../shared/choices/methods.ts';
import { actionDescription } from '../shared/generated/action-description.ts';
import { withMappingNotices } from '../shared/mapping-notices.ts';
import { failedItem, nodeError } from '../shared/node-error.ts';
import { runItems } from '../shared/operations/run-items.ts';
import { toolDescriptions } from '../shared/tool-descriptions.ts';
import { workflowPatience } from '../shared/transport/patience.ts';
import { DealkeepApi } from '../shared/transport/request.ts';

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
    properties: [
      ...toolDescriptions(actionDescription),
      authenticationParameter,
      ...withMappingNotices(actionDescription),
    ],
  };

  methods = { listSearch: searchMethods, loadOptions: loadMethods, resourceMapping: mappingMethods };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData().length;
    const output: INodeExecutionData[] = [];
    let done = 0;
    const api = new DealkeepApi(this, workflowPatience, () => ` has done ${done} of ${items} items and`);
    for await (const outcome of runItems(this, api)) {
      const { item } = outcome;
      if ('error' in outcome) {
        const failure = nodeError(this.getNode(), outcome.error, item);
        if (!this.continueOnFail()) throw failure;
        output.push(failedItem(failure, item));
      } else {
        const records = this.helpers.returnJsonArray([...outcome.records]);
        output.push(...this.helpers.constructExecutionMetaData(records, { itemData: { item } }));
      }
      done += 1;
    }
    return [output];
  }
}
