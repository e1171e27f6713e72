import {
  descriptionOf,
  exampleOf,
  type OperationDeclaration,
  openapiDocument,
  operations,
  readScopeOf,
  unreadScopeOf,
} from '@dealkeep/contract';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { describedProblems } from './described-answers.ts';

// What credentials that may not read are really answered is held against the document by
// `writing-without-reading.test.ts`.

const reduced = Object.values<OperationDeclaration>(operations).filter(
  (each) => each.kind !== 'batch' && unreadScopeOf(each) !== undefined,
);

test('an answer is the whole record or its reduced form, never both, and the document names the reduced one (rule keys 17)', async () => {
  const { components } = z
    .object({ components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }) })
    .parse(openapiDocument('https://api.dealkeep.example'));
  for (const declaration of reduced) {
    const { answer } = declaration;
    const name = String(answer && descriptionOf(answer)?.id);
    const { description, required } = components.schemas[`${name}Reduced`] ?? {};
    expect(description).toContain(`without ${readScopeOf(declaration)}`);
    expect(
      ['id', 'uuid'].flatMap((each) => (answer && each in Object(answer).shape ? [each, 'app_url'] : [])),
    ).toEqual(required);
    const [status] = declaration.statuses;
    const whole = exampleOf(answer ?? z.undefined());
    expect(describedProblems(declaration, status, { data: whole })).toEqual([]);
    const named = Object.fromEntries(
      z
        .array(z.string())
        .parse(required)
        .map((each) => [each, Reflect.get(Object(whole), each)]),
    );
    expect(describedProblems(declaration, status, { data: named })).toEqual([]);
    expect(describedProblems(declaration, status, { data: { ...named, app_url: 7 } })).not.toEqual([]);
  }
});
