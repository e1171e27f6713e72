import type { Encoding } from './compressed.ts';

/** A strong tag, which is another one for each encoding (RFC 9110, 8.8.3.3). */
export const entityTag = (tag: string, encoding?: Encoding | undefined): string =>
  `"${tag}${encoding ? `-${encoding}` : ''}"`;

/** Whether `If-Match` or `If-None-Match` names a record (RFC 9110, 13.1), in whatever encoding it came. */
export function namesTag(header: string, tag: string, { weakly }: { readonly weakly: boolean }): boolean {
  if (header.trim() === '*') return true;
  return header.split(',').some((each) => {
    const [, weak, named] = /^(W\/)?"([\w-]+?)(?:-br|-gzip)?"$/.exec(each.trim()) ?? [];
    return named === tag && (weakly || weak === undefined);
  });
}
