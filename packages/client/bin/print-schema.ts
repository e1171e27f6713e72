import { descriptionOf, type FieldDescription, formsOf } from '@dealkeep/contract';
import * as z from 'zod';

/** A choice of more values than this, such as the countries, is declared once, by the name of its field. */
const longestUnion = 20;

/** The item of `webhooks.events`; `EventType` itself is what the event types are called. */
const otherNames: Readonly<Record<string, string>> = { EventType: 'EventTypeItem' };

/** Prints zod schemas as TypeScript; objects that have a name among the OpenAPI components become interfaces. */
export class SchemaPrinter {
  readonly #declarations = new Map<string, string>();

  /** Everything that has a name, in the order in which it was first met. */
  get declarations(): ReadonlyMap<string, string> {
    return this.#declarations;
  }

  /** The type of a parsed value. Throws for a schema that it does not know. */
  print(schema: z.core.$ZodType, field = ''): string {
    if (schema instanceof z.core.$ZodObject) return this.#object(schema);
    if (schema instanceof z.core.$ZodArray) return `Array<${this.print(schema._zod.def.element, field)}>`;
    if (schema instanceof z.core.$ZodNullable)
      return `${this.print(schema._zod.def.innerType, field)} | null`;
    if (schema instanceof z.core.$ZodOptional) {
      return `${this.print(schema._zod.def.innerType, field)} | undefined`;
    }
    const forms = schema instanceof z.core.$ZodUnion ? schema._zod.def.options : formsOf(schema);
    if (forms) return forms.map((form) => this.print(form, field)).join(' | ');
    if (schema instanceof z.core.$ZodPipe) return this.print(schema._zod.def.out, field);
    if (schema instanceof z.core.$ZodRecord) {
      const { keyType, valueType } = schema._zod.def;
      return `Record<${this.print(keyType)}, ${this.print(valueType)}>`;
    }
    if (schema instanceof z.core.$ZodEnum) return this.#choice([...schema._zod.values], field);
    if (schema instanceof z.core.$ZodString) return 'string';
    if (schema instanceof z.core.$ZodNumber) return 'number';
    if (schema instanceof z.core.$ZodBoolean) return 'boolean';
    if (schema instanceof z.core.$ZodUnknown) return 'unknown';
    throw new Error(`There is no TypeScript for a schema of type ${schema._zod.def.type} yet.`);
  }

  /** The same, as an interface of that name even when the schema has none. */
  printNamed(
    name: string,
    about: string,
    schema: z.core.$ZodObject,
    takesSeveral: (field: string) => boolean = () => false,
  ): string {
    const members = (): string => this.#members(schema, takesSeveral);
    return this.#declare(name, () => `${comment(about)}export interface ${name} ${members()}\n`);
  }

  #object(schema: z.core.$ZodObject): string {
    const description = descriptionOf(schema);
    if (!description?.id) return this.#members(schema);
    return this.printNamed(otherNames[description.id] ?? description.id, sentence(description), schema);
  }

  /** @param takesSeveral whether an array of values of that field is sent as well */
  #members(schema: z.core.$ZodObject, takesSeveral: (field: string) => boolean = () => false): string {
    const lines = Object.entries(schema._zod.def.shape).map(([name, field]) => {
      const optional = field._zod.optout === 'optional' ? '?' : '';
      const description = descriptionOf(field);
      const about = description ? comment(sentence(description)) : '';
      const type = this.print(field, name);
      const several = takesSeveral(name) ? ` | ReadonlyArray<NonNullable<${type}>>` : '';
      return `${about}${name}${optional}: ${type}${several};\n`;
    });
    return `{\n${lines.join('')}}`;
  }

  #choice(values: readonly z.core.util.Primitive[], field: string): string {
    const union = values.map(literal).join(' | ');
    if (values.length <= longestUnion) return union;
    const name = field.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());
    return this.#declare(name, () => `export type ${name} = ${union};\n`);
  }

  #declare(name: string, print: () => string): string {
    if (!this.#declarations.has(name)) {
      // Held before it is printed, so that what it refers to comes after it.
      this.#declarations.set(name, '');
      this.#declarations.set(name, print());
    }
    return name;
  }
}

/** A value as TypeScript and JSON both write it. */
export const literal = (value: z.core.util.Primitive): string => JSON.stringify(value);

/** A documentation comment on one line. */
export const comment = (text: string): string => `/** ${text.replaceAll('*/', '* /')} */\n`;

function sentence({ label, help, maxLength, example }: FieldDescription): string {
  return [
    `${label.en}.`,
    help ? help.en : '',
    maxLength === undefined ? '' : `At most ${maxLength} characters.`,
    example === undefined ? '' : `Example: \`${JSON.stringify(example)}\``,
  ]
    .filter((part) => part !== '')
    .join(' ');
}
