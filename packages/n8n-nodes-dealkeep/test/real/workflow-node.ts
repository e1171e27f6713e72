import { randomUUID } from 'node:crypto';

export const actionType = 'n8n-nodes-dealkeep.dealkeep';
export const triggerType = 'n8n-nodes-dealkeep.dealkeepTrigger';
export const pollTriggerType = 'n8n-nodes-dealkeep.dealkeepPollTrigger';

export interface Credential {
  id: string;
  name: string;
  /** As the parameter "Authentication" names it; the key when absent. */
  authentication?: 'oAuth2';
}

export interface WorkflowNode {
  name: string;
  type: string;
  typeVersion: number;
  parameters: Record<string, unknown>;
  credentials?: Record<string, Credential>;
  webhookId?: string;
  /** Node settings such as `onError` and `retryOnFail`. */
  [setting: string]: unknown;
}

/** A chosen record, as the editor writes it into a workflow. */
export const chosen = (value: string, mode: 'list' | 'id' | 'url' | 'name' = 'id') => ({
  __rl: true,
  mode,
  value,
});

export const manualTrigger: WorkflowNode = {
  name: 'Start',
  type: 'n8n-nodes-base.manualTrigger',
  typeVersion: 1,
  parameters: {},
};

export const actionNode = (
  parameters: Record<string, unknown>,
  credential: Credential,
  name = 'Dealkeep',
): WorkflowNode => ({
  name,
  type: actionType,
  typeVersion: 1,
  parameters: { ...authentication(credential), ...parameters },
  credentials: credentialsOf(credential),
});

export const triggerNode = (
  parameters: Record<string, unknown>,
  credential: Credential,
  webhookId = randomUUID(),
): WorkflowNode => ({
  name: 'Dealkeep Trigger',
  type: triggerType,
  typeVersion: 2,
  parameters: { ...authentication(credential), ...parameters },
  credentials: credentialsOf(credential),
  webhookId,
});

/** Asks every minute. */
export const pollNode = (parameters: Record<string, unknown>, credential: Credential): WorkflowNode => ({
  name: 'Dealkeep Poll Trigger',
  type: pollTriggerType,
  typeVersion: 1,
  parameters: {
    ...authentication(credential),
    pollTimes: { item: [{ mode: 'everyMinute' }] },
    ...parameters,
  },
  credentials: credentialsOf(credential),
});

const authentication = (credential: Credential) =>
  credential.authentication ? { authentication: credential.authentication } : {};

export const credentialsOf = ({ id, name, authentication }: Credential): Record<string, Credential> => ({
  [authentication ? 'dealkeepOAuth2Api' : 'dealkeepApi']: { id, name },
});

/** With ids and places on the canvas. */
export const placed = (nodes: readonly WorkflowNode[]) =>
  nodes.map((node, index) => ({ id: randomUUID(), position: [index * 200, 0], ...node }));

/** Connections of nodes that follow one another. */
export function connected(nodes: readonly WorkflowNode[]): Record<string, unknown> {
  return Object.fromEntries(
    nodes
      .slice(0, -1)
      .map((node, index) => [
        node.name,
        { main: [[{ node: nodes[index + 1]?.name, type: 'main', index: 0 }]] },
      ]),
  );
}
