import { html } from 'hono/html';
import { buttonForm } from '../../auth/forgery.ts';
import { isPermitted } from '../../auth/permitted.ts';
import type { ConsoleContext } from '../../context.ts';
import { countsOnce } from '../../forms/form-page.ts';
import { button, linkButton, type Markup } from '../../markup.ts';
import { type ShownRecord, textIn } from '../../values/shown-record.ts';
import type { RecordKind, Step } from '../record-kind.ts';
import { pageSay } from './texts.ts';

/** The one step that brings the record forward, as a button; the others behind it in a menu. */
export function nextStep(c: ConsoleContext, kind: RecordKind, record: ShownRecord): Markup | string {
  const text = pageSay(c.get('language'));
  const possible = kind.stepsOf(record).filter((step) => isPermitted(c, kind.resource, step));
  if (possible.length === 0) return '';
  const { next = [] } = kind.life ?? {};
  const main = next.flatMap((id) => possible.find((step) => step.id === id) ?? [])[0];
  const others = possible.filter((step) => step !== main);
  const address = `${kind.path}/${textIn(record, kind.idField)}`;
  const menu =
    others.length > 0
      ? html`<details class="drop-down"><summary class="button secondary">${text('moreSteps')}</summary><ul>${others.map(
          (step) => html`<li>${menuEntry(c, step, address)}</li>`,
        )}</ul></details>`
      : '';
  return html`<div class="choices steps" role="group" aria-label="${text('whatNow')}">${
    main ? mainButton(c, main, address) : ''
  }${menu}</div>`;
}

/** Those that ask first lead to their page. */
function mainButton(c: ConsoleContext, step: Step, address: string): Markup {
  const language = c.get('language');
  const label = step.label[language];
  if (step.asks) return linkButton(`${address}/${step.name}`, label);
  return buttonForm(
    c,
    `${address}/${step.name}`,
    html`${countsOnce()}${button(label, { title: step.about[language] })}`,
  );
}

function menuEntry(c: ConsoleContext, step: Step, address: string): Markup {
  const language = c.get('language');
  const [label, look] = [step.label[language], step.danger ? html` class="bad"` : ''];
  if (step.asks) return html`<a href="${address}/${step.name}"${look}>${label}</a>`;
  const press = html`<button class="link" title="${step.about[language]}">${label}</button>`;
  return buttonForm(c, `${address}/${step.name}`, html`${countsOnce()}${press}`);
}
