// Selecting many records of a list: the whole page at once, a range with Shift, and how many are selected.

const form = document.getElementById('bulk');
const boxes = [...document.querySelectorAll('input[form="bulk"]')];
const page = document.querySelector('[data-select-page]');
const whole = page?.querySelector('input');
const all = form?.querySelector('input[name="all"]');
const counted = form?.querySelector('.counted');
let last;

const show = () => {
  const count = boxes.filter(({ checked }) => checked).length;
  if (all && count === 0) all.checked = false;
  counted.hidden = count === 0;
  counted.querySelector('[data-selected]').textContent = String(count);
  whole.checked = count === boxes.length;
  whole.indeterminate = count > 0 && count < boxes.length;
};

const setAll = (checked) => {
  for (const box of boxes) box.checked = checked;
  show();
};

if (form && whole) {
  page.hidden = false;
  form.querySelector('.beside').hidden = false;
  whole.addEventListener('change', () => setAll(whole.checked));
  form.querySelector('[data-selects="page"]').addEventListener('click', () => setAll(true));
  form.querySelector('[data-selects="none"]').addEventListener('click', () => {
    setAll(false);
    // The bar is gone, and with it what had the focus.
    boxes[0].focus();
  });
  for (const box of boxes) {
    box.addEventListener('click', (event) => {
      if (event.shiftKey && last !== undefined) {
        const [from, to] = [boxes.indexOf(last), boxes.indexOf(box)].sort((a, b) => a - b);
        for (const each of boxes.slice(from, to + 1)) each.checked = box.checked;
      }
      last = box;
      show();
    });
  }
  // A browser that goes back may keep what was ticked.
  window.addEventListener('pageshow', show);
}
