import { type AssistantAccess, toolSetLabels } from '../assistant-access.ts';
import * as field from '../scalars.ts';
import { type Text, text } from '../text.ts';

const access = text('AI assistants', 'AI asistenti');

/** What AI assistants may do, in the words of the owner who decides. */
export const assistantAccessLabels = {
  off: text('Nothing: none can connect', 'Nič: žiadny sa nepripojí'),
  read: text('Read only', 'Iba čítať'),
  all: text('Read and change', 'Čítať aj meniť'),
} as const satisfies Record<AssistantAccess, unknown>;

const sets = text('Tools that assistants may use', 'Nástroje, ktoré smú asistenti používať');

/** Whether assistants may read or change anything. */
export const assistantAccessField = (help: Text) =>
  field.choice({ label: access, help, choices: assistantAccessLabels, example: 'all' });

/** Which sets of tools they may use; null is every one, also those that come later. */
export const assistantToolSetsField = field
  .list(field.choice({ label: sets, choices: toolSetLabels }), {
    label: sets,
    help: text(
      'Nothing ticked: all of them, also those that are added later.',
      'Nič nezaškrtnuté: všetky, aj tie, ktoré pribudnú neskôr.',
    ),
    choices: toolSetLabels,
    min: 1,
    max: Object.keys(toolSetLabels).length,
    example: ['sales', 'work'],
  })
  .nullable();
