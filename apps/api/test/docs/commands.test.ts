import { execFileSync } from 'node:child_process';
import { type OperationDeclaration, operations } from '@dealkeep/contract';
import { startDealkeep, type TestOrganization } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { articleOf, textOf } from './parts-of-page.ts';

const dealkeep = await startDealkeep({ worker: false });
const page = await (await fetch(`${dealkeep.origin}/docs`)).text();

/** The arguments that a shell hands to curl when the command of an operation is pasted. */
function pasted(id: string, organization: TestOrganization): string[] {
  const command = textOf(/<pre><code>(.*?)<\/code><\/pre>/s.exec(articleOf(page, id))?.[1] ?? '');
  const script = `curl() { for each; do printf '%s\\0' "$each"; done; }\n${command}`;
  const output = execFileSync('sh', ['-c', script], {
    env: { ...process.env, DEALKEEP_KEY: organization.key },
    encoding: 'utf8',
  });
  return output.split('\0').slice(0, -1);
}

/** Does what curl would do. */
async function call(parts: readonly string[]) {
  const after = (flag: string) => parts.flatMap((part, index) => (parts[index - 1] === flag ? [part] : []));
  const address = parts.find((part) => part.startsWith('http')) ?? '';
  const [method = 'GET'] = after('-X');
  const [body] = after('-d');
  const response = await fetch(address.replace(dealkeep.core.origin, dealkeep.origin), {
    method,
    headers: Object.fromEntries(after('-H').map((header) => header.split(': ') as [string, string])),
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** What an example may be told, because its ids and its host are made up; undefined when all is well. */
function complaint(declaration: OperationDeclaration, answer: Awaited<ReturnType<typeof call>>): unknown {
  if (declaration.statuses.some((status) => status === answer.status)) return undefined;
  const { code, message, detail } = answer.body.error;
  if (code === 'NOT_FOUND' && declaration.path.includes('{') && message.includes('record')) return undefined;
  if (code === 'WEBHOOK_URL_INVALID' && message.includes('cannot be found')) return undefined;
  const codes: string[] = detail?.fields?.map((field: { code: string }) => field.code) ?? [];
  return codes.length > 0 && codes.every((each) => each === 'not_found') ? undefined : answer;
}

test('every command of the reference works when it is pasted into a shell', async () => {
  const organization = await dealkeep.createOrganization();
  for (const declaration of Object.values<OperationDeclaration>(operations)) {
    const answer = await call(pasted(declaration.id, organization));
    expect(complaint(declaration, answer), declaration.id).toBeUndefined();
  }
});
