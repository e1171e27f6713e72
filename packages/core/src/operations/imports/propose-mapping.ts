import { unaccentedForm } from '@dealkeep/contract';
import type { ImportTarget } from './targets.ts';

/**
 * What people and other programs call a field besides its label, in English and Slovak, without diacritics. By the
 * field's name; for one inside of another object by its path.
 */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  name: [
    'company name',
    'product name',
    'lead name',
    'full name',
    'title',
    'obchodne meno',
    'nazov firmy',
    'nazov produktu',
    'meno a priezvisko',
  ],
  email: ['e mail', 'mail', 'email address', 'e mailova adresa', 'mailova adresa'],
  phone: ['phone number', 'telephone', 'tel', 'mobile', 'mobil', 'telefonne cislo', 'tel cislo'],
  street: ['address', 'street address', 'adresa', 'ulica a cislo'],
  city: ['town', 'obec'],
  postal_code: ['zip', 'zip code', 'postcode'],
  country_code: ['country code', 'stat', 'kod krajiny'],
  registration_id: ['company id', 'registration number', 'company registration number', 'ico firmy'],
  vat_id: ['vat', 'vat number', 'vat no', 'dic dph'],
  tax_id: ['tax number', 'tin'],
  note: ['notes', 'comment', 'comments', 'description', 'poznamky', 'komentar', 'popis'],
  tags: ['tag', 'labels', 'label', 'stitok', 'znacky'],
  owner_id: ['account owner', 'zodpovedna osoba', 'zodpovedny', 'obchodnik'],
  company_id: [
    'company name',
    'account',
    'organization',
    'nazov firmy',
    'spolocnost',
    'organizacia',
    'company registration id',
    'firma ico',
  ],
  position: ['job title', 'role', 'funkcia', 'pracovna pozicia'],
  is_primary: ['primary', 'main contact', 'hlavny'],
  value: ['amount', 'deal value', 'suma', 'ciastka'],
  expected_close_date: ['close date', 'datum uzavretia'],
  origin_id: ['source', 'lead source', 'origin', 'povod'],
  sku: ['code', 'product code', 'item number', 'kod', 'kod produktu', 'cislo produktu'],
  ean: ['barcode', 'ciarovy kod', 'gtin'],
  description: ['popis'],
  price: ['unit price', 'jednotkova cena', 'cena bez dph'],
  discounted_price: ['sale price', 'akciova cena'],
  vat_rate: ['vat', 'dph', 'sadzba dph'],
  stock_on_hand: ['stock', 'quantity', 'sklad', 'mnozstvo', 'skladom'],
  category_uuid: ['category id', 'kategoria id'],
  'company.name': ['company', 'company name', 'organization', 'firma', 'nazov firmy', 'spolocnost'],
  'company.registration_id': ['company registration id', 'registration id', 'firma ico', 'ico', 'ico firmy'],
  'contact.name': ['contact', 'contact name', 'contact person', 'kontakt', 'kontaktna osoba', 'meno'],
  'contact.email': ['email', 'e mail', 'kontakt e mail'],
  'contact.phone': ['phone', 'telefon', 'mobil', 'kontakt telefon'],
  'contact.position': ['position', 'pozicia', 'funkcia'],
};

/** Without case, diacritics and signs, so that `IČ DPH`, `ic_dph` and `Ič-DPH` are the same. */
const plain = (name: string): string =>
  unaccentedForm(name)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What a heading may say for a target: its own words first, then what others call it. */
function namesOf({ path, label, field }: ImportTarget): readonly (readonly string[])[] {
  const own = [label.en, label.sk, path].map(plain);
  return [own, synonyms[path] ?? [], path.includes('.') ? [] : (synonyms[field.name] ?? [])];
}

/**
 * What each column probably fills, by its heading in English or Slovak: the path of a target, or null. No target is
 * proposed twice, and its own name goes before a synonym of another.
 */
export function proposeMapping(
  headings: readonly string[],
  targets: readonly ImportTarget[],
): readonly (string | null)[] {
  const mapping: (string | null)[] = headings.map(() => null);
  const named = targets.map((target) => ({ path: target.path, ranks: namesOf(target) }));
  const ranks = Math.max(0, ...named.map((each) => each.ranks.length));
  for (let rank = 0; rank < ranks; rank += 1) {
    for (const [index, heading] of headings.entries()) {
      if (mapping[index] !== null || plain(heading) === '') continue;
      const found = named.find(
        (each) => !mapping.includes(each.path) && each.ranks[rank]?.includes(plain(heading)),
      );
      mapping[index] = found?.path ?? null;
    }
  }
  return mapping;
}
