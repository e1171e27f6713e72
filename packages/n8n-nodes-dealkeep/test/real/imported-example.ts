import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { textAt } from './json.ts';
import type { N8nDriver } from './n8n-driver.ts';
import { type Credential, credentialsOf } from './workflow-node.ts';

export const examples = join(import.meta.dirname, '..', '..', 'examples');

const Example = z.looseObject({
  name: z.string(),
  nodes: z.array(
    z.looseObject({
      name: z.string(),
      type: z.string(),
      parameters: z.record(z.string(), z.unknown()),
      webhookId: z.string().optional(),
    }),
  ),
  connections: z.record(z.string(), z.unknown()),
});

export type Example = z.output<typeof Example>;

export const readExample = async (file: string): Promise<Example> =>
  Example.parse(JSON.parse(await readFile(join(examples, file), 'utf8')));

/**
 * Imports an example as a person does: chooses the credential in each Dealkeep node, and puts the address of their
 * own chat or mailing app in place of the one in the example.
 *
 * @param choices by node: what the person chooses from its lists
 */
export async function importExample(
  n8n: N8nDriver,
  file: string,
  credential: Credential,
  otherApp: string,
  choices: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Promise<{ id: string; versionId: string; webhookId: string }> {
  const { name, nodes, connections, ...rest } = await readExample(file);
  const filledIn = nodes.map((node) => {
    if (node.type.startsWith('n8n-nodes-dealkeep.'))
      return {
        ...node,
        parameters: { ...node.parameters, ...choices[node.name] },
        credentials: credentialsOf(credential),
      };
    const { url } = node.parameters;
    return typeof url === 'string' ? { ...node, parameters: { ...node.parameters, url: otherApp } } : node;
  });
  const answer = await n8n.session.call('POST', '/rest/workflows', {
    name,
    nodes: filledIn,
    connections,
    ...rest,
  });
  const webhookId = nodes.find((node) => node.webhookId)?.webhookId ?? '';
  return { id: textAt(answer, 'id'), versionId: textAt(answer, 'versionId'), webhookId };
}
