import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const verbs = ['select', 'with', 'insert', 'update', 'delete'];
/**
 * A template with fewer words beside what is put into it is like any statement: one with a verb, and one without.
 */
const fewestWords = { verb: 4, none: 8 };

/** Where a statement is written: `packages/core/src/change/verb/change.ts:290`. */
export type Place = `${string}:${number}`;

/** A template of the source, as the words between what is put into it. */
interface Template {
  readonly place: Place;
  readonly pieces: readonly string[];
  readonly length: number;
}

// PostgreSQL notes statements with numbers in the place of constants, and of lists of them one.
const comment = /--[^\n]*|\/\*.*?\*\//gs;
const constant = /'(?:[^']|'')*'|\$\d+|\b\d+(?:\.\d+)?\b|\b(?:true|false)\b|(?<!\bis |\bnot )\bnull\b/gi;
/** A list of constants is noted as one. */
const listed = /\bin \((?:\s*(?:'[^']*'|\d+)\s*,?)+\)/gi;
const words = (text: string): string[] =>
  text
    .replaceAll(comment, ' ')
    .replaceAll(listed, 'in ( ? )')
    .replaceAll(constant, ' ? ')
    .match(/[\w?]+|[^\s\w?]/g) ?? [];

const asText = (all: readonly string[]): string => (all.length === 0 ? '' : ` ${all.join(' ')} `);

/**
 * Finds where statements come from, by their words: the longest template of the source that begins and ends as they
 * do.
 */
export class StatementSources {
  readonly #templates: readonly Template[];

  private constructor(templates: readonly Template[]) {
    this.#templates = templates;
  }

  /** @param root of the repository */
  static async read(root: string): Promise<StatementSources> {
    const templates: Template[] = [];
    for await (const path of glob('{apps,packages}/*/{src,test}/**/*.ts', { cwd: root })) {
      const text = await readFile(join(root, path), 'utf8');
      for (const { at, pieces } of templatesIn(text)) {
        const place: Place = `${path}:${text.slice(0, at).split('\n').length}`;
        const own = pieces.map((piece) => words(piece));
        const all = own.flat();
        const fewest = verbs.includes(all[0] ?? '') ? fewestWords.verb : fewestWords.none;
        if (all.length >= (pieces.length === 1 ? 1 : fewest))
          templates.push({ place, pieces: own.map(asText), length: all.length });
      }
    }
    return new StatementSources(templates.toSorted((one, other) => other.length - one.length));
  }

  /** Also in a test, which may send statements of its own; undefined where no template is like it. */
  placeOf(statement: string): Place | undefined {
    const own = asText(words(statement));
    const whole = this.#templates.find(({ pieces }) => isMadeOf(own, pieces));
    // Where little of a statement is its own, by what it is made of.
    return (whole ?? this.#templates.find(({ pieces }) => isMadeOf(own, ['', ...pieces, ''])))?.place;
  }
}

/**
 * Whether the statement begins with the first piece, ends with the last, and has the others between in their order.
 */
function isMadeOf(all: string, pieces: readonly string[]): boolean {
  let from = 0;
  for (const [index, text] of pieces.entries()) {
    if (text === '') continue;
    const isLast = index === pieces.length - 1;
    const at = isLast && index > 0 ? all.length - text.length : all.indexOf(text, from);
    if (at < from || (index === 0 && at > 0) || !all.startsWith(text, at)) return false;
    if (isLast && at + text.length < all.length) return false;
    from = at + text.length - 1;
  }
  return true;
}

/** The templates of a file, those within others by themselves. */
function templatesIn(text: string): { at: number; pieces: string[] }[] {
  const found: { at: number; pieces: string[] }[] = [];
  const open: { at: number; pieces: string[]; braces: number }[] = [];
  // A template's text up to its end or to what is put in; code up to what matters for that.
  const inTemplate = /((?:[^\\`$]|\\.|\$(?!\{))*)(`|\$\{)/sy;
  const inCode = /(?:\/\/[^\n]*|\/\*.*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[^`{}])*?([`{}]|$)/sy;
  let isCode = true;
  for (let at = 0; at < text.length; ) {
    const pattern: RegExp = isCode ? inCode : inTemplate;
    pattern.lastIndex = at;
    const match: RegExpExecArray | null = pattern.exec(text);
    if (!match) return found;
    at = pattern.lastIndex;
    const last = open.at(-1);
    if (isCode) {
      if (match[1] === '`') open.push({ at, pieces: [], braces: 0 });
      else if (match[1] === '{' && last) last.braces += 1;
      else if (match[1] === '}' && last) last.braces -= 1;
      isCode = match[1] !== '`' && !(match[1] === '}' && last?.braces === -1);
      if (!isCode && match[1] === '}' && last) last.braces = 0;
      if (match[0] === '') return found;
    } else {
      last?.pieces.push(match[1] ?? '');
      isCode = true;
      if (match[2] === '`') {
        const ended = open.pop();
        if (ended) found.push(ended);
      }
    }
  }
  return found;
}
