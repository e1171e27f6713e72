import { type Text, text } from '@dealkeep/contract';
import { sayFrom, sharedTexts } from '../../texts.ts';
import { recordTexts } from '../texts.ts';

const pageTexts = {
  auditLog: text('History in the audit log', 'História v zázname auditu'),
  moreSteps: text('More', 'Viac'),
  stage: text('Stage', 'Fáza'),
  state: text('Where it stands', 'Stav'),
  moveToStage: text('Move to {stage}', 'Presunúť do fázy {stage}'),
  about: text('About', 'Údaje'),
  openTasks: text('Tasks', 'Úlohy'),
  addTask: text('Add a task…', 'Pridať úlohu…'),
  taskTitle: text('What is to be done', 'Čo treba urobiť'),
  completeTask: text('Done: {title}', 'Hotovo: {title}'),
  noTasks: text('Nothing is to be done.', 'Netreba nič urobiť.'),
  allTasks: text('All tasks', 'Všetky úlohy'),
  openActivities: text('Planned', 'Naplánované'),
  planActivity: text('Plan a call or a meeting…', 'Naplánovať hovor alebo stretnutie…'),
  activityName: text('What is planned', 'Čo je naplánované'),
  activityStart: text('When', 'Kedy'),
  activityType: text('Kind', 'Druh'),
  noType: text('Kind', 'Druh'),
  plan: text('Plan', 'Naplánovať'),
  noActivities: text('Nothing is planned.', 'Nič nie je naplánované.'),
  allActivities: text('All activities', 'Všetky aktivity'),
  writeNote: text('Write a note', 'Napísať poznámku'),
  editNote: text('Edit the note', 'Upraviť poznámku'),
  moreThan: text('more than {count}', 'viac ako {count}'),
  timeline: text('What happened', 'Čo sa stalo'),
  timelineFilter: text('What to show', 'Čo zobraziť'),
  everything: text('All', 'Všetko'),
  changes: text('Changes', 'Zmeny'),
  activities: text('Tasks and activities', 'Úlohy a aktivity'),
  older: text('Older', 'Staršie'),
  newest: text('Newest', 'Najnovšie'),
  nothingHappened: text('Nothing happened in this time.', 'V tomto čase sa nič nestalo.'),
  made: text('Created {moment}.', 'Vytvorené {moment}.'),
  keptDays: text('What happened is kept for {days} days.', 'Čo sa stalo, sa uchováva {days} dní.'),
  emptied: text('emptied', 'vymazané'),
  changed: text('changed', 'zmenené'),
  bySystem: text('by itself', 'samo'),
  byOperator: text('whoever runs this Dealkeep', 'prevádzkovateľ tohto Dealkeepu'),
  byVia: text('{name} by {via}', '{name} cez {via}'),
} as const satisfies Record<string, Text>;

/** The texts of a record's page in a language. */
export const pageSay = sayFrom({ ...sharedTexts, ...recordTexts, ...pageTexts });
