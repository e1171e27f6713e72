import { instructionOf, resources } from '@dealkeep/contract';
import type { Resource, ResourceTemplateType, Server } from '@modelcontextprotocol/server';
import type { McpAddress } from '../address.ts';
import { answered } from '../protocol-error.ts';
import { visible } from '../texts/visible.ts';
import type { Caller } from '../tools/tool.ts';
import { type ResourceKind, resourceKindsAt } from './kinds.ts';
import { readResource } from './read-resource.ts';

const mimeType = 'application/json';

/** Serves the records of an address as resources, by their ids, and the lists to choose from. */
export function serveResources(server: Server, caller: Caller, address: McpAddress): void {
  const kinds = () => resourceKindsAt(address, caller.credential);
  server.setRequestHandler('resources/list', () => ({
    resources: kinds()
      .filter(({ idName }) => idName === undefined)
      .map(listed),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: kinds()
      .filter(({ idName }) => idName !== undefined)
      .map(template),
  }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const value = await answered(caller, () => readResource(caller, kinds(), uri));
    return { contents: [{ uri, mimeType, text: visible(JSON.stringify(value)) }] };
  });
}

const listed = ({ uri, name, resource, declaration, isList }: ResourceKind): Resource => ({
  uri,
  name,
  title: resources[resource][isList ? 'plural' : 'label'].en,
  description: declaration.about.en,
  mimeType,
});

const template = ({ uri, name, resource, declaration }: ResourceKind): ResourceTemplateType => ({
  uriTemplate: uri,
  name,
  title: resources[resource].label.en,
  description: instructionOf(declaration).does,
  mimeType,
});
