import { InputProblem } from '@dealkeep/connectors';

/**
 * What browsers and servers read differently: blanks and controls, backslashes, and slashes, dots or percents
 * written by code.
 */
const deceiving = /[\s\\\p{Cc}]|%(?:2e|2f|5c|25)/iu;
const withScheme = /^[a-z][a-z0-9+.-]*:/i;

/**
 * The address that a person wrote for a call of their own: whole, or below the API root, `/leads`. Throws when it is
 * not below the root, because the key goes along.
 */
export function addressBelow(root: string, written: string): URL {
  const address = written.trim();
  const [path = ''] = address.split(/[?#]/, 1);
  const isElsewhere = deceiving.test(path) || path.startsWith('//');
  const whole = withScheme.test(address) ? address : `${root}/${address.replace(/^\//, '')}`;
  if (!isElsewhere && URL.canParse(whole)) {
    const [url, own] = [new URL(whole), new URL(root)];
    const isOwn = url.origin === own.origin && url.username === '' && url.password === '' && url.hash === '';
    if (isOwn && (url.pathname === own.pathname || url.pathname.startsWith(`${own.pathname}/`))) return url;
  }
  throw new InputProblem(
    `URL: The key of this connection is only sent to addresses below ${root}. Write a path such as /leads, or use the HTTP step of the platform without the key for other addresses.`,
  );
}
