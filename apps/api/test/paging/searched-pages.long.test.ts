import { sharedDealkeep } from '@dealkeep/testing';
import { type Business, openBusiness } from '@dealkeep/testing/business';
import { beforeAll, expect, test } from 'vitest';

const dealkeep = await sharedDealkeep();
const total = 4000;

/** Which of the companies have a word, number 1 being the youngest. */
const words: Readonly<Record<string, (number: number) => boolean>> = {
  Všetci: () => true,
  Desiaty: (number) => number % 10 === 3,
  Štyridsiaty: (number) => number % 40 === 7,
  Prví: (number) => number <= 60,
  Starí: (number) => number > 3200,
  Dvaja: (number) => number === 10 || number === 3900,
  '§': (number) => number % 500 === 99,
};

let business: Business;
const names: string[] = [];
beforeAll(async () => {
  business = await openBusiness(dealkeep);
  for (let number = 1; number <= total; number += 1) {
    const own = Object.keys(words).filter((word) => words[word]?.(number));
    names.push(`${String((number * 7) % total).padStart(4, '0')} ${own.join(' ')}`);
  }
  await dealkeep.sql`
    insert into companies (organization_id, id, name, country_code, created_at, updated_at)
    select ${business.organization.id}, gen_random_uuid(), name, case when number % 3 = 0 then 'CZ' else 'SK' end,
           now() - number * interval '1 s', now()
    from unnest(${names}::text[]) with ordinality as named (name, number)`;
});

test.each(
  Object.keys(words).flatMap((word) => ['-created_at', 'created_at', 'name'].map((sort) => [word, sort])),
)(
  'pages of a search have what has the term once, in their order, however much that is: %s by %s',
  async (word, sort) => {
    for (const filter of [{}, { country_code: 'CZ' }]) {
      const query = { q: word.toLowerCase(), sort, limit: 100, ...filter };
      const expected = names.filter(
        (name, index) => name.includes(word) && (!('country_code' in filter) || (index + 1) % 3 === 0),
      );
      if (sort === 'created_at') expected.reverse();
      if (sort === 'name') expected.sort();
      // What everything has is walked to its end once, and of one country.
      if (expected.length > 2000 || (expected.length > 1000 && sort !== '-created_at')) {
        const { data, has_more } = (await business.api.get('/companies', query)).page;
        expect([data.map(({ name }) => name), has_more]).toEqual([expected.slice(0, 100), true]);
      } else {
        const found = await business.api.walk('/companies', query);
        expect(found.map(({ name }) => name)).toEqual(expected);
      }
    }
  },
);
