import { limits } from '@dealkeep/contract';
import { sharedDealkeep } from '@dealkeep/testing';
import { describe, expect, test } from 'vitest';
import { headingOf, insertCompanies, linkOf, linksIn, orderMenuOf, placeOf } from './list-pages.ts';
import { signedInOwner } from './signed-in-owner.ts';

const dealkeep = await sharedDealkeep();

const open = () => signedInOwner(dealkeep);

describe('the pages of a list', () => {
  test('count up to a bound, whatever there is, and less far what is searched for', async () => {
    const { organization, browser } = await open();
    await insertCompanies(dealkeep, organization.id, limits.countedRecords + 1);
    const { html } = await browser.get('/companies');
    expect([headingOf(html), placeOf(html)]).toEqual(['Companies 10,000+', '1–50 of more than 10,000']);
    await browser.get('/?language=sk');
    const found = await browser.get('/companies?q=firm');
    expect([headingOf(found.html), placeOf(found.html)]).toEqual(['Firmy 100+', '1–50 z viac ako 100']);
  });

  test('are the first one where the address makes no sense, and never break', async () => {
    const { organization, browser } = await open();
    await insertCompanies(dealkeep, organization.id, 60);
    const { html } = await browser.get('/companies');
    const next = linkOf(html, 'next');
    for (const trail of ['', 'x', '1*a.b*c', '*'.repeat(5000), '99999999999*x']) {
      const shown = await browser.get(next.replace(/trail=[^&]*/, `trail=${trail}`));
      expect([trail.slice(0, 20), shown.status, placeOf(shown.html)]).toEqual([
        trail.slice(0, 20),
        200,
        '51–60 of 60',
      ]);
    }
    expect((await browser.get('/companies?cursor=x&from=51&trail=1*')).location).toBe('/companies');
  });
});

describe('the order of a list', () => {
  test('says in the language of the page what is sorted, also by what no column shows', async () => {
    const { browser, api } = await open();
    await api.post('/tasks', { title: 'Call' });
    await browser.get('/?language=sk');
    const { html } = await browser.get('/tasks');
    expect(linksIn(orderMenuOf(html)).map(({ said }) => said)).toEqual([
      'Čo treba urobiť: od A po Z',
      'Čo treba urobiť: od Z po A',
      'Termín: najskoršie prvé',
      'Termín: najneskoršie prvé',
      'Vytvorené: najskoršie prvé',
      'Vytvorené: najneskoršie prvé',
    ]);
    expect(orderMenuOf(html)).toContain('>Zoradiť</summary>');
  });

  test('is nothing to choose where nothing is listed', async () => {
    const { browser } = await open();
    expect(orderMenuOf((await browser.get('/leads')).html)).toBe('');
  });
});
