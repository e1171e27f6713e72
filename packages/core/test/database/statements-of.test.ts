import { expect, test } from 'vitest';
import { statementsOf } from '../../src/foundations/database/statements-of.ts';

test('statements are told apart where a semicolon ends one, and nowhere else', () => {
  const text = `
    -- of one; and another
    select ';', 'it''s;' as "a;b"; /* not; this */ select 1 - 2 / 3;
    do $$ begin perform 1; end $$;
    create function f() returns text language sql as $body$ select '$$;' $body$;`;
  expect(statementsOf(text).map((each) => each.trim())).toEqual([
    `select ';', 'it''s;' as "a;b"`,
    'select 1 - 2 / 3',
    'do $$ begin perform 1; end $$',
    `create function f() returns text language sql as $body$ select '$$;' $body$`,
  ]);
});
