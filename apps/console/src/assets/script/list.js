// Filters of a list one at a time, applied as soon as they are set. Without this file they unfold all together, with one
// button.

import { enhanceChoices } from './choice.js';

const form = document.querySelector('form[data-filters]');
const menu = form?.querySelector('details');
const panel = menu?.querySelector('.panel');

if (form && menu && panel) {
  enhanceChoices(panel);
  const filters = [...panel.querySelectorAll('[data-filter]')];
  const apply = panel.querySelector(':scope > button');
  const names = document.createElement('ul');
  names.className = 'filter-names';
  for (const filter of filters) {
    const name = document.createElement('button');
    name.type = 'button';
    name.textContent = filter.dataset.label;
    name.addEventListener('click', () => choose(filter));
    names.append(document.createElement('li'));
    names.lastChild.append(name);
  }
  panel.prepend(names);
  form.dataset.ready = '';

  /** Shows one filter, or the names of all. */
  const choose = (chosen) => {
    names.hidden = chosen !== undefined;
    for (const filter of filters) filter.hidden = filter !== chosen;
    apply.hidden = chosen === undefined || isAtOnce(chosen);
    const first = (chosen ?? names).querySelector(
      ':is(select, input, textarea, button):not([type=hidden], [hidden])',
    );
    if (menu.open) first?.focus();
  };

  /** What is chosen and not typed says at once what is meant. */
  const isAtOnce = (filter) =>
    !filter.querySelector('input:not([type=hidden], [type=checkbox], [type=radio])');

  const wrong = filters.find((filter) => filter.querySelector('[aria-invalid=true]'));
  choose(wrong);
  menu.addEventListener('toggle', () => {
    if (menu.open) choose(wrong);
  });
  panel.addEventListener('change', ({ target }) => {
    if (target.matches('select, [type=checkbox], [type=radio]') && target.value !== '') form.requestSubmit();
  });
  // A menu that stands above the list goes as soon as one goes on.
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !menu.contains(relatedTarget)) menu.open = false;
  });
  document.addEventListener('click', ({ target }) => {
    if (!menu.contains(target)) menu.open = false;
  });
  menu.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !menu.open) return;
    event.preventDefault();
    menu.open = false;
    menu.querySelector('summary').focus();
  });
}

/** The address holds only what is set. */
form?.addEventListener('formdata', ({ formData }) => {
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
});
