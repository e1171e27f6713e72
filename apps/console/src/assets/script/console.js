// Everything works without this file; it only makes some steps shorter.

/** Copies the text of the element that a button names. */
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copy);
    await navigator.clipboard.writeText(source?.value ?? source?.textContent ?? '');
    button.textContent = button.dataset.copied;
  });
}

/** Asks before a step that cannot be taken back; without JavaScript a page asks. */
for (const form of document.querySelectorAll('form[data-confirm]')) {
  form.addEventListener('submit', (event) => {
    if (!window.confirm(form.dataset.confirm)) event.preventDefault();
  });
}

/** A choice that filters a list applies at once. */
for (const select of document.querySelectorAll('select[data-submit]')) {
  select.addEventListener('change', () => select.form?.requestSubmit());
}

/** A file that is too large is not sent: a server can say so only when it has come. */
for (const input of document.querySelectorAll('input[type=file][data-most]')) {
  input.addEventListener('change', () => {
    const isTooLarge = [...input.files].some(({ size }) => size > Number(input.dataset.most));
    input.setCustomValidity(isTooLarge ? input.dataset.larger : '');
    input.reportValidity();
  });
}

/** A menu closes by a press elsewhere and by Escape, which brings the focus back to its button. */
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('details.drop-down[open]')) {
    if (!menu.contains(target)) menu.open = false;
  }
});
document.addEventListener('keydown', ({ key }) => {
  const menu = document.querySelector('details.drop-down[open]');
  if (key !== 'Escape' || !menu) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});
