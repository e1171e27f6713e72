import { ownerPassword, type TestDealkeep, type TestOrganization } from './start-dealkeep.ts';

export interface VisitedPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where a redirect leads; undefined when there was none. */
  readonly location: string | undefined;
}

/** What somebody fills in: the value of each field, or all that are ticked in it. */
type FilledIn = Readonly<Record<string, string | readonly string[]>>;

/** A browser without JavaScript: keeps cookies, sends forms as they are filled in, follows nothing by itself. */
export class Browser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();

  constructor({ origin }: Pick<TestDealkeep, 'origin'>) {
    this.#origin = origin;
  }

  get cookies(): ReadonlyMap<string, string> {
    return this.#cookies;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<VisitedPage> {
    return this.#send(path, { headers });
  }

  /** Sends a form as its page holds it, with these fields filled in. */
  async submit(from: VisitedPage, action: string, fields: FilledIn): Promise<VisitedPage> {
    const untouched = filledFields(from.html, action).filter(([name]) => !Object.hasOwn(fields, name));
    const filled = Object.entries(fields).flatMap(([name, values]) =>
      [values].flat().map((value): Pair => [name, value]),
    );
    return this.#post(action, [...untouched, ...filled]);
  }

  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ): Promise<VisitedPage> {
    return this.#post(path, Object.entries(fields), headers);
  }

  /** Sends the form of a page for an action with a file. */
  upload(
    from: VisitedPage,
    action: string,
    { name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> },
  ): Promise<VisitedPage> {
    const body = new FormData();
    for (const [field, value] of filledFields(from.html, action)) {
      if (field !== 'file') body.append(field, value);
    }
    body.append('file', new Blob([bytes], { type: 'text/csv' }), name);
    return this.#send(action, { method: 'POST', body, headers: {} });
  }

  #post(path: string, fields: Pair[], headers: Record<string, string> = {}): Promise<VisitedPage> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  signIn({ ownerEmail }: Pick<TestOrganization, 'ownerEmail'>): Promise<VisitedPage> {
    return this.signInAs(ownerEmail);
  }

  async signInAs(email: string): Promise<VisitedPage> {
    const form = await this.get('/sign-in');
    return this.submit(form, '/sign-in', { email, password: ownerPassword });
  }

  /** Opens a page and sends its form for an action, with these fields filled in. */
  async fill(page: string, action: string, fields: FilledIn): Promise<VisitedPage> {
    return this.submit(await this.get(page), action, fields);
  }

  async #send(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<VisitedPage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#origin}${path}`, {
      ...init,
      headers: { ...(cookie ? { Cookie: cookie } : {}), ...init.headers },
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/max-age=0/i.test(line)) this.#cookies.delete(pair.slice(0, at));
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      location: response.headers.get('location') ?? undefined,
    };
  }
}

type Pair = [name: string, value: string];

/** What a browser sends of a form in which nobody changes anything; no button. */
function filledFields(page: string, action: string): Pair[] {
  const form = [...page.matchAll(/<form\b[^>]*>.*?<\/form>/gs)].find(([whole]) =>
    whole.slice(0, whole.indexOf('>')).includes(`action="${action.replaceAll('&', '&amp;')}"`),
  )?.[0];
  if (!form) throw new Error(`The page holds no form for ${action}:\n${page}`);
  const controls = /<input\b[^>]*>|<textarea\b[^>]*>[^<]*<\/textarea>|<select\b.*?<\/select>/gs;
  return [...form.matchAll(controls)].flatMap(([control]): Pair[] => {
    const tag = control.slice(0, control.indexOf('>') + 1);
    const name = attribute(tag, 'name');
    if (name === undefined) return [];
    if (control.startsWith('<select')) {
      const option =
        /<option value="([^"]*)" selected>/.exec(control) ?? /<option value="([^"]*)"/.exec(control);
      return option ? [[name, unescaped(option[1] ?? '')]] : [];
    }
    if (control.startsWith('<textarea')) {
      return [[name, unescaped(control.slice(tag.length, -'</textarea>'.length))]];
    }
    const checks = /type="(?:checkbox|radio)"/.test(tag);
    return checks && !/ checked/.test(tag) ? [] : [[name, attribute(tag, 'value') ?? '']];
  });
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];
  return value === undefined ? undefined : unescaped(value);
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
