import { pathText } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { expect, test } from 'vitest';
import { openKnownBusiness, pathOn, withValue } from '../known-records.ts';
import { bodiesOf, type Field, fieldsOf, inlineFor, isLarge, limitedIn, longest } from './body-fields.ts';

const business = await openKnownBusiness(await sharedDealkeep());
const { api } = business;
const cases = bodiesOf(business)
  .map((each) => ({ ...each, limited: limitedIn(fieldsOf(each.body)) }))
  .filter(({ limited }) => limited.length > 0);

const pipelines = (await api.get('/pipelines')).page.data;
const stages = pipelines.find(({ is_default }) => is_default)?.stages ?? [];
const lostStage = stages.find(({ kind }) => kind === 'lost')?.id;
/** Only a lost lead, or one that is archived, has a note of why it was lost. */
const stageFor = ({ path: [name] }: Field, body: object): object =>
  name === 'lost_note' && 'stage_id' in body ? { stage_id: lostStage } : {};

test.each(cases)(
  '$id stores texts of the greatest length',
  async ({ declaration, method, path, base, limited }) => {
    // An upsert finds no record of the others' cases.
    const letter = declaration.kind === 'upsert' ? '\u{1F6B5}' : '\u{1F6B2}';
    const stage = (field: Field): object => stageFor(field, declaration.body?.shape ?? {});
    const [large, short] = [limited.filter(isLarge), limited.filter((field) => !isLarge(field))];
    // Large ones are too much for one record.
    for (const together of [short, ...large.map((field) => [field])]) {
      if (together.length === 0) continue;
      // Its own record where the operation changes one; an inline contact needs a company, a client one of its own.
      const own =
        path === declaration.path
          ? path
          : pathOn(declaration, await business.freshRecord(declaration.resource));
      const needsCompany = declaration.resource === 'client' && path === declaration.path;
      const beside = needsCompany ? { company_id: await business.freshRecord('company') } : {};
      const json = together.reduce(
        (whole, field) => withValue(whole, field.path, longest(field, letter)),
        Object.assign({ ...base, ...beside }, ...together.map(inlineFor), ...together.map(stage)),
      );
      const answer = await api.send(method, own, { json });
      expect([together.map(({ path: names }) => pathText(names)), answer.outcome], answer.text).toEqual([
        expect.anything(),
        expect.stringMatching(/^20[01]$/),
      ]);
    }
  },
);
