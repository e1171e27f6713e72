const loopbackAddresses: readonly string[] = ['127.0.0.1', '[::1]'];
const loopbackHosts: readonly string[] = [...loopbackAddresses, 'localhost'];

const isPlainHttpOn = (hosts: readonly string[], url: URL): boolean =>
  url.protocol === 'http:' && hosts.includes(url.hostname);

/** Whether a redirect leads to a program on the machine of whoever is asked, of which nobody can say which it is. */
export const leadsToOwnMachine = (redirectUri: string): boolean => {
  const url = URL.parse(redirectUri);
  return url !== null && loopbackHosts.includes(url.hostname);
};

/** Why an address cannot be registered for redirects, undefined when it can (RFC 6749, 3.1.2; RFC 8252, 7.3). */
export function redirectUriProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || /\s/.test(text)) return 'takes a whole address such as https://app.example/callback';
  if (text.includes('#')) return 'takes an address without a fragment';
  if (url.username || url.password) return 'takes an address without user information';
  // Plain http is for an application on the user's own machine and for developing one.
  if (url.protocol === 'https:' || isPlainHttpOn(loopbackHosts, url)) return undefined;
  return 'takes an https address, or http on 127.0.0.1, [::1] or localhost';
}

/**
 * Whether an address of a request is one that was registered: equal to the letter, but for the port of a loopback
 * address, which a native application is free to choose (RFC 9700, 2.1; RFC 8252, 7.3). Of public clients
 * `localhost` counts as such an address, too: programs on people's machines register it without a port (RFC 8252,
 * 8.3 advises against it because a machine may answer it otherwise, which PKCE makes useless).
 */
export function isRegisteredRedirectUri(
  { redirect_uris: registered, kind }: { redirect_uris: readonly string[]; kind: string },
  asked: string,
): boolean {
  if (registered.includes(asked)) return true;
  const hosts = kind === 'confidential' ? loopbackAddresses : loopbackHosts;
  const url = URL.parse(asked);
  if (!url || !isPlainHttpOn(hosts, url)) return false;
  const port = url.port === '' ? '' : `:${url.port}`;
  // Only the port may differ, so that what is compared stays what was sent.
  const without = asked.replace(`//${url.hostname}${port}`, `//${url.hostname}`);
  return registered.some((each) => {
    const own = URL.parse(each);
    if (!own || !isPlainHttpOn(hosts, own) || own.hostname !== url.hostname) return false;
    return each.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)):\d+/, '$1') === without;
  });
}
