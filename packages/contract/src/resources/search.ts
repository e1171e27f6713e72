import * as z from 'zod';
import { limits } from '../limits.ts';
import { operation } from '../operation.ts';
import { isRecordName, type RecordName, recordKindNames, records } from '../records.ts';
import * as field from '../scalars.ts';
import type { Scope } from '../scopes.ts';
import { appUrlOf, exampleRef, idOf, record } from '../shapes.ts';
import { labelInSentence, text } from '../text.ts';

/** What is searched, with the scope by which such records are read: every kind (rule search 1). */
export const searchedKinds: Readonly<Record<SearchedKind, Scope>> = Object.fromEntries(
  recordKindNames.map((name) => [name, records[name].scope]),
) as Record<SearchedKind, Scope>;

export type SearchedKind = RecordName;

export const isSearchedKind = isRecordName;

export const searchedKindNames = recordKindNames;

/** `companies, contacts and leads` */
const everyKind = new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(
  recordKindNames.map((name) => labelInSentence(records[name].plural.en)),
);

export const searchResultLabel = text('Search Result', 'Výsledok hľadania');

export const SearchResult = record(
  'SearchResult',
  { label: searchResultLabel },
  {
    type: field.string({
      label: text('Type', 'Typ'),
      help: text(
        `What it is: ${searchedKindNames.join(', ')}; more may come.`,
        `Čo to je: ${searchedKindNames.join(', ')}; môžu pribudnúť ďalšie.`,
      ),
      example: 'company',
    }),
    id: idOf(exampleRef.company),
    title: field
      .string({
        label: text('Title', 'Názov'),
        help: text(
          'What the record is called; null for one that has no name or number yet.',
          'Ako sa záznam volá; null, ak ešte nemá názov ani číslo.',
        ),
        example: exampleRef.company.name,
      })
      .nullable(),
    subtitle: field
      .string({
        label: text('Subtitle', 'Podnadpis'),
        help: text('What tells it from others of that name.', 'Čím sa líši od iných s týmto názvom.'),
        example: '36123456 · Košice',
      })
      .nullable(),
    app_url: appUrlOf('companies', exampleRef.company),
  },
);

export const searchOperations = {
  'search.all': operation({
    id: 'search.all',
    tool: 'search',
    resource: 'search',
    kind: 'get',
    method: 'GET',
    path: '/search',
    // Each kind asks for what reading its records asks for, so no scope is that of the whole search.
    scope: null,
    query: z.strictObject({
      q: field.searchTerm({
        label: text('Search', 'Hľadať'),
        help: text(
          'Part of a name or of a number, a whole e-mail address or phone number; case and diacritics do not matter.',
          'Časť názvu alebo čísla, celá e-mailová adresa alebo telefónne číslo; na veľkosti písmen a diakritike nezáleží.',
        ),
        example: 'tatra',
      }),
      types: field
        .string({
          label: text('Types', 'Typy'),
          help: text(
            `Only these, separated by commas: ${searchedKindNames.join(', ')}. All that the credential may read when not given.`,
            `Len tieto, oddelené čiarkami: ${searchedKindNames.join(', ')}. Ak sa neuvedú, všetky, ktoré prístup smie čítať.`,
          ),
          example: 'company,contact',
          max: 500,
        })
        .optional(),
    }),
    answer: field.list(SearchResult, { label: text('Search Results', 'Výsledky hľadania') }),
    shape: 'record',
    statuses: [200],
    errors: ['FORBIDDEN', 'LEGACY_KEY_NOT_ALLOWED', 'ROLE_PERMISSION_MISSING', 'ROLE_SCOPE_LIMITED'],
    title: text('Search everything', 'Hľadať vo všetkom'),
    about: text(
      `Records of every kind that the credential may read, best first, ${limits.searchResults} at most: first those whose name, number, e-mail address or phone number is exactly what was asked for, then names that begin with it, then those with a word that begins with it, then those that have it anywhere. What was changed last comes first among equals.`,
      `Záznamy všetkých druhov, ktoré prístup smie čítať, od najlepšieho, najviac ${limits.searchResults}: najprv tie, ktorých názov, číslo, e-mail alebo telefón je presne hľadaný text, potom názvy, ktoré sa ním začínajú, potom tie so slovom, ktoré sa ním začína, a nakoniec tie, ktoré ho majú kdekoľvek. Medzi rovnakými je prvý ten, ktorý bol zmenený naposledy.`,
    ),
    instruction: `Search ${everyKind} at once, best match first.`,
  }),
};
