import { type OperationDeclaration, operations } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { addCustomField } from '../console-edits.ts';
import { articleOf, textOf } from './parts-of-page.ts';
import { pastedTogether, sendPasted } from './pasted-command.ts';

const dealkeep = await sharedDealkeep();
const page = await (await fetch(`${dealkeep.origin}/docs`)).text();

/** What an example may be told of its ids, its host and its moments, which are made up. */
const madeUp = ['not_found', 'before_log'];

/** What is wrong with the answer to an example; undefined when all is well. */
function complaint(
  declaration: OperationDeclaration,
  answer: Awaited<ReturnType<typeof sendPasted>>,
): unknown {
  if (declaration.statuses.some((status) => status === answer.status)) return undefined;
  const { code, message, detail } = answer.body.error;
  if (code === 'NOT_FOUND' && declaration.path.includes('{') && message.includes('record')) return undefined;
  if (code === 'WEBHOOK_URL_INVALID' && message.includes('cannot be found')) return undefined;
  const codes: string[] = detail?.fields?.map((field: { code: string }) => field.code) ?? [];
  return codes.length > 0 && codes.every((each) => madeUp.includes(each)) ? undefined : answer;
}

test('every command of the reference works when it is pasted into a shell', async () => {
  const organization = await dealkeep.createOrganization();
  await addCustomField({ dealkeep, organization }, 'Segment');
  const declarations = Object.values<OperationDeclaration>(operations);
  const commands = declarations.map(({ id }) =>
    textOf(/<pre><code>(.*?)<\/code><\/pre>/s.exec(articleOf(page, id))?.[1] ?? ''),
  );
  const pastedOnes = pastedTogether(commands, { DEALKEEP_KEY: organization.key });
  for (const [at, declaration] of declarations.entries()) {
    const answer = await sendPasted(pastedOnes[at] ?? [], [dealkeep.core.origin, dealkeep.origin]);
    expect(complaint(declaration, answer), declaration.id).toBeUndefined();
  }
});
