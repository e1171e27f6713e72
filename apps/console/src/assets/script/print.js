// Opens the browser's own dialog of printing, which saves as PDF, too. Without this file the page says how to.
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}
