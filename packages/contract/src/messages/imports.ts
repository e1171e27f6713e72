import type { Catalogue } from '../errors.ts';

/** Of files that people import in the console: of a whole file, of a row, of a cell. */
export const importMessages = {
  'import.no_file': { code: 'VALIDATION_ERROR', en: 'Choose a file.', sk: 'Vyberte súbor.' },
  'import.broken_upload': {
    code: 'BAD_REQUEST',
    en: 'The file did not arrive whole. Send it again.',
    sk: 'Súbor neprišiel celý. Odošlite ho znova.',
  },
  'import.too_large': {
    code: 'VALIDATION_ERROR',
    en: 'The file is larger than {max} MiB. Divide it into several files, each with the headings.',
    sk: 'Súbor je väčší ako {max} MiB. Rozdeľte ho na viac súborov, každý s hlavičkou.',
  },
  'import.empty': {
    code: 'VALIDATION_ERROR',
    en: 'The file is empty.',
    sk: 'Súbor je prázdny.',
  },
  'import.only_headings': {
    code: 'VALIDATION_ERROR',
    en: 'The file has headings in line {line} and no rows below them.',
    sk: 'Súbor má v riadku {line} hlavičku a pod ňou žiadne riadky.',
  },
  'import.spreadsheet': {
    code: 'VALIDATION_ERROR',
    en: 'This is a workbook of a spreadsheet, not a CSV file. Open it and save it as CSV UTF-8, then choose that file.',
    sk: 'Toto je zošit tabuľkového programu, nie súbor CSV. Otvorte ho, uložte ako CSV UTF-8 a vyberte ten súbor.',
  },
  'import.not_text': {
    code: 'VALIDATION_ERROR',
    en: 'Line {line} holds a sign that no text has, so this is not a CSV file. Save the table as CSV UTF-8.',
    sk: 'Riadok {line} obsahuje znak, ktorý v texte nie je, toto teda nie je súbor CSV. Uložte tabuľku ako CSV UTF-8.',
  },
  'import.broken_quotes': {
    code: 'VALIDATION_ERROR',
    en: 'The quotes of the row that begins in line {line} are broken. A cell with quotes stands in quotes, and those inside of it are doubled.',
    sk: 'Riadok, ktorý sa začína na riadku {line}, má chybné úvodzovky. Bunka s úvodzovkami má byť v úvodzovkách a tie vnútri nej zdvojené.',
  },
  'import.row_too_large': {
    code: 'VALIDATION_ERROR',
    en: 'The row that begins in line {line} is larger than {max} KiB. Perhaps a quote was not closed before.',
    sk: 'Riadok, ktorý sa začína na riadku {line}, je väčší ako {max} KiB. Možno pred ním chýbajú koncové úvodzovky.',
  },
  'import.too_many_rows': {
    code: 'VALIDATION_ERROR',
    en: 'The file has more than {max} rows. Divide it into several files, each with the headings.',
    sk: 'Súbor má viac ako {max} riadkov. Rozdeľte ho na viac súborov, každý s hlavičkou.',
  },
  'import.too_many_columns': {
    code: 'VALIDATION_ERROR',
    en: 'Line {line} has more than {max} columns.',
    sk: 'Riadok {line} má viac ako {max} stĺpcov.',
  },
  'import.heading_twice': {
    code: 'VALIDATION_ERROR',
    en: 'Columns {first} and {second} in line {line} have the same heading, “{heading}”. Rename one of them.',
    sk: 'Stĺpce {first} a {second} v riadku {line} majú rovnakú hlavičku „{heading}“. Jednu z nich premenujte.',
  },
  'import.too_many': {
    code: 'CONFLICT',
    en: 'There are {max} imports already that are not finished. Finish or discard one first.',
    sk: 'Je tu už {max} nedokončených importov. Najprv niektorý dokončite alebo zahoďte.',
  },
  'import.changed': {
    code: 'CONFLICT',
    en: 'This import is in another state by now. Look at it and decide again.',
    sk: 'Tento import je už v inom stave. Pozrite si ho a rozhodnite sa znova.',
  },
  'import.undo_over': {
    code: 'CONFLICT',
    en: 'An import can be undone within {hours} hours, which are over.',
    sk: 'Import možno vrátiť späť do {hours} hodín, ktoré už uplynuli.',
  },
  'import.nothing_to_do': {
    code: 'CONFLICT',
    en: 'No row of this file can be imported as it is.',
    sk: 'Z tohto súboru sa tak, ako je, nedá importovať žiadny riadok.',
  },
  'import.person_left': {
    code: 'FORBIDDEN',
    en: 'Whoever began the import is no longer active here.',
    sk: 'Ten, kto import začal, tu už nie je aktívny.',
  },
  'import.stopped': {
    code: 'CONFLICT',
    en: '{name} stopped the import.',
    sk: 'Import zastavil používateľ {name}.',
  },
  'import.field_twice': {
    code: 'VALIDATION_ERROR',
    en: 'Another column is read as this already.',
    sk: 'Takto sa už číta iný stĺpec.',
  },
  'import.field_missing': {
    code: 'VALIDATION_ERROR',
    en: 'No column is read as “{field}”, which every new record needs.',
    sk: 'Žiadny stĺpec sa nečíta ako „{field}“, čo potrebuje každý nový záznam.',
  },
  'import.match_missing': {
    code: 'VALIDATION_ERROR',
    en: 'Records are looked for by “{field}”, so a column must be read as that.',
    sk: 'Záznamy sa hľadajú podľa „{field}“, preto sa tak musí čítať niektorý stĺpec.',
  },
  'import.wrong_columns': {
    code: 'VALIDATION_ERROR',
    en: 'This row has {count} cells, the headings have {expected}.',
    sk: 'Tento riadok má buniek: {count}, hlavička ich má {expected}.',
  },
  'import.headings_again': {
    code: 'VALIDATION_ERROR',
    en: 'This row repeats the headings.',
    sk: 'Tento riadok opakuje hlavičku.',
  },
  'import.no_match': {
    code: 'VALIDATION_ERROR',
    en: '“{value}” was not found.',
    sk: '„{value}“ sa nenašlo.',
  },
  'import.several_match': {
    code: 'VALIDATION_ERROR',
    en: 'Several match “{value}” ({count}), so nobody can tell which is meant.',
    sk: 'Hodnote „{value}“ zodpovedá viac záznamov ({count}), nedá sa teda povedať, ktorý to má byť.',
  },
  'import.not_a_number': {
    code: 'VALIDATION_ERROR',
    en: '“{value}” is not a number.',
    sk: '„{value}“ nie je číslo.',
  },
  'import.which_number': {
    code: 'VALIDATION_ERROR',
    en: '“{value}” can mean {one} or {other}. Write it without signs between thousands.',
    sk: '„{value}“ môže znamenať {one} alebo {other}. Napíšte to bez oddeľovania tisícov.',
  },
  'import.not_a_date': {
    code: 'VALIDATION_ERROR',
    en: '“{value}” is not a date. Write it as 2026-11-30 or 30.11.2026.',
    sk: '„{value}“ nie je dátum. Napíšte ho ako 2026-11-30 alebo 30.11.2026.',
  },
  'import.which_date': {
    code: 'VALIDATION_ERROR',
    en: '“{value}” can mean two days. Write it as 2026-11-30 or 30.11.2026.',
    sk: '„{value}“ môže znamenať dva rôzne dni. Napíšte to ako 2026-11-30 alebo 30.11.2026.',
  },
  'import.not_yes_or_no': {
    code: 'VALIDATION_ERROR',
    en: '“{value}” is neither yes nor no.',
    sk: '„{value}“ nie je áno ani nie.',
  },
  'import.no_such_choice': {
    code: 'VALIDATION_ERROR',
    en: '“{value}” is not one of those to choose from.',
    sk: '„{value}“ nie je jedna z možností.',
  },
  'import.twice_in_file': {
    code: 'VALIDATION_ERROR',
    en: '“{value}” stands in line {line} already.',
    sk: '„{value}“ je už v riadku {line}.',
  },
} as const satisfies Catalogue;
