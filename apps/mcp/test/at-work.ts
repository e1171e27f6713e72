import { allScopes } from '@dealkeep/contract';
import { systemClock } from '@dealkeep/core/foundations';
import { seedDemo } from '@dealkeep/core/installation';
import { sharedDealkeep } from '@dealkeep/testing';
import { openBusiness } from '@dealkeep/testing/business';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { expect } from 'vitest';
import { connectAssistant, textOf } from './assistant.ts';

/** An organization of its own, with demo data if asked for, and an assistant with a key that may do everything. */
export async function atWork({ demo = false, path = '/mcp/all' }: { demo?: boolean; path?: string } = {}) {
  const dealkeep = await sharedDealkeep();
  const business = await openBusiness(dealkeep);
  const { organization } = business;
  if (demo) await seedDemo({ sql: dealkeep.sql, clock: systemClock }, organization.slug, 'small');
  const { token } = await organization.createKey({ scopes: allScopes });
  const assistant = await connectAssistant(dealkeep.baseUrl, token, { path });
  const { tools } = await assistant.listTools();
  const validator = new AjvJsonSchemaValidator();
  return {
    ...business,
    tools,
    api: dealkeep.as(token),
    /** Calls a tool, and holds its answer against the schema that it has told. */
    async call(name: string, given: Record<string, unknown> = {}) {
      const result = await assistant.callTool({ name, arguments: given });
      const schema = tools.find((tool) => tool.name === name)?.outputSchema;
      if (!result.isError && schema) {
        const judged = validator.getValidator(JSON.parse(JSON.stringify(schema)))(result.structuredContent);
        expect(judged.valid ? undefined : judged.errorMessage, `${name}: ${textOf(result)}`).toBeUndefined();
      }
      return result;
    },
  };
}
