import {
  type EveryOperationId,
  everyOperation,
  fieldsOf,
  type OperationDeclaration,
} from '@dealkeep/contract';
import { Browser } from '@dealkeep/testing';
import { startChromium } from '@dealkeep/testing/chromium';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { recordKinds } from '../../src/records/record-kinds.ts';
import { stepsOf } from '../../src/records/steps.ts';
import { settingsLookups } from '../../src/settings/lookups/settings-lookups.ts';
import { signIn, startBusiness } from './business.ts';
import { crawl } from './crawl.ts';
import { looks, visitor } from './visitor.ts';

const { dealkeep, organization } = await startBusiness();
const chromium = await startChromium();
const crawler = new Browser(dealkeep);
await crawler.signIn(organization);
const pages = await crawl(crawler, ['/', '/settings/account']);

/**
 * Fills the form of a page, and what is folded away in it, with what is wrong: letters for numbers, nonsense for an
 * e-mail, more than fits. Everything that can be wrong, or only the last of it. Answers the names of the fields.
 */
const spoil = (page: Page, only: 'all' | 'last'): Promise<string[]> =>
  page.evaluate(
    `(() => {
      const form = document.querySelector('main form.card[method=post]');
      if (!form) return [];
      for (const folded of form.querySelectorAll('details')) folded.open = true;
      const wrongFor = (control) => {
        const { inputMode: mode, type, maxLength } = control;
        if (mode === 'decimal') return 'letters';
        if (mode === 'email') return 'nonsense';
        if (mode === 'url') return 'javascript:alert(1)';
        // Whether somebody knows their own is judged last.
        if (type === 'password') return control.autocomplete === 'new-password' ? 'short' : undefined;
        return maxLength > 0 && maxLength <= 5000 ? 'x'.repeat(maxLength + 1) : undefined;
      };
      const spoiled = [...form.querySelectorAll('input:not([type=hidden], [type=search]), textarea')]
        .map((control) => ({ control, wrong: wrongFor(control) }))
        .filter(({ control, wrong }) => wrong !== undefined && control.checkVisibility());
      const chosen = ${JSON.stringify(only)} === 'all' ? spoiled : spoiled.slice(-1);
      for (const { control, wrong } of chosen) control.value = wrong;
      return chosen.map(({ control }) => control.name);
    })()`,
  );

interface Judged {
  /** What lies outside the window, or below what stands on top of it. */
  readonly unseen: string[];
  readonly said: string[];
  readonly focused: boolean;
}

/** The first failing field with its message, by where they really are. */
const judged = (page: Page): Promise<Judged> =>
  page.evaluate(
    `(() => {
      const header = document.querySelector('.frame > header');
      const sticky = getComputedStyle(header).position === 'sticky';
      const top = sticky ? header.getBoundingClientRect().bottom : 0;
      const problems = [...document.querySelectorAll('.field-problem')];
      const [first] = problems;
      if (!first) return { unseen: ['nothing is said'], said: [], focused: false };
      const id = first.id.replace(/^problem-/, 'field-');
      const control = document.getElementById(id);
      // Of what is higher than the window, its message has to do.
      const parts = control.matches('fieldset') ? [first] : [first, control];
      const outside = parts.filter((each) => {
        const box = each.getBoundingClientRect();
        const covered = document.elementFromPoint(box.left + Math.min(box.width, 40) / 2, box.top + box.height / 2);
        return box.height === 0 || box.top < top || box.bottom > innerHeight || !(each === covered || each.contains(covered));
      });
      const names = problems.map((each) => each.id.replace(/^problem-/, ''));
      return {
        unseen: outside.map((each) => each.id + ' at ' + JSON.stringify(each.getBoundingClientRect())),
        said: names,
        focused: document.activeElement === control || document.activeElement === first,
      };
    })()`,
  );

const tested = new Set<string>();
const waiting = { timeout: 5_000 };

const sizes = [
  { look: looks[0], javaScriptEnabled: true },
  { look: looks[2], javaScriptEnabled: false },
];

describe.each(sizes)(
  'in $look.language, $look.width wide, JavaScript: $javaScriptEnabled',
  ({ look, javaScriptEnabled }) => {
    test.each(['all', 'last'] as const)(
      'the first failing field of every form is in sight with its message, and %s that is wrong is said at once',
      { timeout: 600_000 },
      async (only) => {
        const visit = await visitor(chromium, dealkeep.origin, look, { javaScriptEnabled });
        await signIn(visit, organization);
        const failures: unknown[] = [];
        for (const [shape, path] of pages) {
          await visit.open(path);
          const spoiled = await spoil(visit.page, only);
          if (spoiled.length === 0) continue;
          tested.add(shape);
          await visit.page.click('main form.card[method=post] > .choices button');
          // A browser puts the focus somewhere, and scrolls there, as soon as it has drawn the page.
          const found = expect.poll(async () => {
            const { said, ...seen } = await judged(visit.page);
            return { ...seen, silent: spoiled.filter((name) => !said.includes(name.replaceAll(/\s/g, '_'))) };
          }, waiting);
          const good = { unseen: [], silent: [], focused: true };
          await found.toEqual(good).catch((failure) => failures.push({ shape, failure }));
        }
        expect(failures).toEqual([]);
      },
    );
  },
);

const bodyOf = (id: EveryOperationId): z.ZodObject => {
  const { body }: OperationDeclaration = everyOperation[id];
  return body ?? z.object({});
};

test('every form that can be filled in wrongly was tried', () => {
  const ofKinds = recordKinds.flatMap(({ path, create, update, resource }) => [
    ...(create ? [`${path}/new`] : []),
    ...(update ? [`${path}/:id/edit`] : []),
    ...stepsOf(resource)
      .filter(
        ({ id }) =>
          // Tags are chosen from a list, where nothing can be written.
          id !== 'leads.tags' &&
          fieldsOf(bodyOf(id)).some(({ type, maxLength }) => type === 'number' || maxLength !== undefined),
      )
      .map(({ name }) => `${path}/:id/${name}`),
  ]);
  const ofLookups = settingsLookups.flatMap(({ path }) => [
    `/settings/lists/${path}/new`,
    `/settings/lists/${path}/:id/edit`,
  ]);
  const others = [
    ...['/integrations/keys/new', '/integrations/webhooks/new', '/integrations/webhooks/:id/edit'],
    ...['/settings/organization/edit', '/settings/users/invitations/new', '/settings/roles/new'],
    ...['/settings/account/edit', '/settings/account/password', '/companies/:id/labels'],
  ];
  expect([...ofKinds, ...ofLookups, ...others].filter((shape) => !tested.has(shape))).toEqual([]);
});
