const loopbackHosts = new Set(['127.0.0.1', '[::1]']);

function parse(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

const isLoopback = (url: URL): boolean => url.protocol === 'http:' && loopbackHosts.has(url.hostname);

/** Why an address cannot be registered for redirects, undefined when it can (RFC 6749, 3.1.2; RFC 8252, 7.3). */
export function redirectUriProblem(text: string): string | undefined {
  const url = parse(text);
  if (!url || /\s/.test(text)) return 'takes a whole address such as https://app.example/callback';
  if (text.includes('#')) return 'takes an address without a fragment';
  if (url.username || url.password) return 'takes an address without user information';
  // Plain http is for an application on the person's own machine and for developing one.
  if (
    url.protocol === 'https:' ||
    isLoopback(url) ||
    (url.protocol === 'http:' && url.hostname === 'localhost')
  )
    return undefined;
  return 'takes an https address, or http on 127.0.0.1, [::1] or localhost';
}

/**
 * Whether an address of a request is one that was registered: equal to the letter, but for the port of a loopback
 * address, which a native application is free to choose (RFC 9700, 2.1; RFC 8252, 7.3).
 */
export function isRegisteredRedirectUri(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  const url = parse(asked);
  if (!url || !isLoopback(url)) return false;
  const port = url.port === '' ? '' : `:${url.port}`;
  // Only the port may differ, so that what is compared stays what was sent.
  const without = asked.replace(`//${url.hostname}${port}`, `//${url.hostname}`);
  return registered.some((each) => {
    const own = parse(each);
    if (!own || !isLoopback(own) || own.hostname !== url.hostname) return false;
    return each.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\])):\d+/, '$1') === without;
  });
}
