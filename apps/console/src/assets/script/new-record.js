// A record that is made in a dialog while somebody fills in the form of another: the same form as on its own page.

const part = { 'X-Dealkeep-Part': 'form' };

/** Shows the form of a path with some values, and whatever scripts give it. Answers what was made, or nothing. */
export async function newRecord(path, values, enhance) {
  const answer = await fetch(`${path}?${new URLSearchParams(values)}`, { headers: part });
  if (!answer.ok || answer.redirected) return undefined;
  const dialog = document.createElement('dialog');
  document.body.append(dialog);
  const draw = (text) => {
    show(dialog, text);
    for (const form of dialog.querySelectorAll('form')) enhance(form);
    dialog.querySelector('[autofocus]')?.focus();
  };
  draw(await answer.text());
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.made);
    });
    dialog.addEventListener('submit', (event) => {
      event.preventDefault();
      send(dialog, event, draw);
    });
    dialog.addEventListener('click', (event) => {
      if (!event.target.closest('form > .choices a')) return;
      event.preventDefault();
      dialog.close();
    });
  });
}

async function send(dialog, { target, submitter }, draw) {
  if (dialog.ariaBusy === 'true') return;
  dialog.ariaBusy = 'true';
  const body = new URLSearchParams(new FormData(target, submitter));
  const answer = await fetch(target.action, { method: 'POST', headers: part, body });
  dialog.ariaBusy = 'false';
  if (answer.status === 201) {
    dialog.made = await answer.json();
    dialog.close();
  } else draw(await answer.text());
}

const tied = ['id', 'for', 'list', 'aria-describedby', 'aria-labelledby', 'aria-controls'];

/** Two forms on one page have fields of one name: the ids of this one get names of their own. */
function show(dialog, text) {
  const content = new DOMParser().parseFromString(text, 'text/html');
  for (const name of tied) {
    for (const element of content.querySelectorAll(`[${name}]`)) {
      const ids = element.getAttribute(name).split(' ');
      element.setAttribute(name, ids.map((id) => `new-${id}`).join(' '));
    }
  }
  const heading = content.querySelector('h1');
  const title = Object.assign(document.createElement('h2'), {
    id: 'new-title',
    textContent: heading?.textContent,
  });
  heading?.replaceWith(title);
  dialog.setAttribute('aria-labelledby', 'new-title');
  dialog.replaceChildren(...content.body.childNodes);
}
