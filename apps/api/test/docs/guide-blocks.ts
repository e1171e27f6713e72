import { readFile } from 'node:fs/promises';

/** The text of a guide. */
export const page = (name: string) => readFile(new URL(`../../../../docs/${name}`, import.meta.url), 'utf8');

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The blocks of a page, in their order. */
export const blocksOf = (guide: string): Block[] =>
  [...guide.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({ language, text }));
