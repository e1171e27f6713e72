import { expect } from 'vitest';
import { mostTokens } from '../src/texts/tokens.ts';
import { textOf } from './assistant.ts';

/** A table of models of today, which is loaded for tests alone: the server estimates. */
const table = 'gpt-tokenizer/encoding/o200k_base';
const { encode }: { encode(text: string): readonly number[] } = await import(table);

export const tokensOf = (text: string): number => encode(text).length;

export function expectShort(name: string, answer: Parameters<typeof textOf>[0]): void {
  expect(tokensOf(textOf(answer)), name).toBeLessThanOrEqual(mostTokens);
  expect(tokensOf(JSON.stringify(answer.structuredContent)), name).toBeLessThanOrEqual(mostTokens);
}
