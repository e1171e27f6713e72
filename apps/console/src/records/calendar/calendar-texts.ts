import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../../texts.ts';

const calendarTexts = {
  title: text('Bookings: calendar', 'Rezervácie: kalendár'),
  list: text('List', 'Zoznam'),
  createOn: text('Create a booking: {what}', 'Vytvoriť rezerváciu: {what}'),
  view: text('View', 'Zobrazenie'),
  week: text('Week', 'Týždeň'),
  day: text('Day', 'Deň'),
  weekNumber: text('week {number}', '{number}. týždeň'),
  previous: text('Previous', 'Predchádzajúci'),
  today: text('Today', 'Dnes'),
  next: text('Next', 'Nasledujúci'),
  staff: text('With whom', 'U koho'),
  everybody: text('Everybody', 'U všetkých'),
  nobody: text('Without a person', 'Bez pracovníka'),
  none: text('No bookings', 'Žiadne rezervácie'),
  further: text('{count} more', 'Ďalšie: {count}'),
  clocksChange: text('The clocks change on this day.', 'V tento deň sa mení čas.'),
  notAll: text(
    'There are more bookings than fit here: the first {count} are shown. Choose a day or a person.',
    'Rezervácií je viac, než sa sem zmestí: zobrazuje sa prvých {count}. Vyberte deň alebo pracovníka.',
  ),
} as const satisfies Record<string, Text>;

/** The texts of the calendar in a language. */
export const calendarSay = sayFrom({ ...sharedTexts, ...calendarTexts });
