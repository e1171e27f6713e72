import type { TestDealkeep, TestOrganization } from '@dealkeep/testing';

/** The password of every owner that tests make. */
export const ownerPassword = 'correct horse battery';

export interface VisitedPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where a redirect leads; undefined when there was none. */
  readonly location: string | undefined;
}

/** A browser without JavaScript: keeps cookies, fills the hidden fields of forms, follows nothing by itself. */
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
  async submit(
    from: VisitedPage,
    action: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<VisitedPage> {
    return this.post(action, { ...hiddenFields(from.html, action), ...fields });
  }

  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ): Promise<VisitedPage> {
    return this.#send(path, { method: 'POST', body: new URLSearchParams(fields), headers });
  }

  async signIn({ ownerEmail }: TestOrganization): Promise<VisitedPage> {
    const form = await this.get('/sign-in');
    return this.submit(form, '/sign-in', { email: ownerEmail, password: ownerPassword });
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

function hiddenFields(page: string, action: string): Record<string, string> {
  const form = [...page.matchAll(/<form\b[^>]*>.*?<\/form>/gs)].find(([whole]) =>
    whole.slice(0, whole.indexOf('>')).includes(`action="${action}"`),
  )?.[0];
  if (!form) throw new Error(`The page holds no form for ${action}:\n${page}`);
  const fields: Record<string, string> = {};
  for (const [tag] of form.matchAll(/<input type="hidden"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(tag)?.[1];
    if (name) fields[name] = unescaped(/value="([^"]*)"/.exec(tag)?.[1] ?? '');
  }
  return fields;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
