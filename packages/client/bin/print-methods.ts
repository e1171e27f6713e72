import { type OperationDeclaration, operations, resources, takesSeveral } from '@dealkeep/contract';
import { routeOf } from '../src/registry.ts';
import { comment, type SchemaPrinter } from './print-schema.ts';

/** The members of the interface `Dealkeep`: every operation as a described function, grouped by its namespace. */
export function printMethods(printer: SchemaPrinter): string {
  const declarations = Object.values<OperationDeclaration>(operations);
  const namespaces = Map.groupBy(declarations, (declaration) => routeOf(declaration).namespace);
  return [...namespaces]
    .map(([namespace, members]) => {
      const methods = members.map((operation) => printMethod(operation, printer)).join('');
      return `${comment(pluralOf(members))}readonly ${namespace}: {\n${methods}};\n`;
    })
    .join('\n');
}

function printMethod(operation: OperationDeclaration, printer: SchemaPrinter): string {
  const { name, method } = routeOf(operation);
  const about = [
    `${operation.title.en}. ${operation.about.en}`,
    operation.scope ? `Scope: \`${operation.scope}\`.` : '',
    operation.emits ? `Events: ${operation.emits.map((event) => `\`${event}\``).join(', ')}.` : '',
  ];
  const values = [
    ...Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, parameter]) => `${parameter}: string`),
    ...bodyArgument(operation, printer),
    ...queryArgument(operation, printer),
    `options?: ${method === 'POST' ? 'PostOptions' : 'CallOptions'}`,
  ];
  const lines = about.filter((line) => line !== '').join(' ');
  return `${comment(lines)}readonly ${name}: (${values.join(', ')}) => ${result(operation, printer)};\n`;
}

function bodyArgument({ body }: OperationDeclaration, printer: SchemaPrinter): string[] {
  if (!body) return [];
  const optional = Object.values(body.shape).every((field) => field._zod.optout === 'optional') ? '?' : '';
  return [`body${optional}: ${printer.print(body)}`];
}

function queryArgument(operation: OperationDeclaration, printer: SchemaPrinter): string[] {
  if (!operation.query || operation.wholeByDefault) return [];
  const { namespace, name } = routeOf(operation);
  const type = `${capitalized(namespace)}${capitalized(name)}Query`;
  return [
    `query?: ${printer.printNamed(type, `The query of \`${namespace}.${name}\`.`, operation.query, (field) => takesSeveral(operation, field))}`,
  ];
}

function result({ answer, shape }: OperationDeclaration, printer: SchemaPrinter): string {
  const type = answer ? printer.print(answer) : 'void';
  return shape === 'list' ? `ListRequest<${type}>` : `Promise<${type}>`;
}

function pluralOf([first]: readonly OperationDeclaration[]): string {
  const resource = Object.entries(resources).find(([name]) => name === first?.resource)?.[1];
  return `${resource?.plural.en ?? ''}.`;
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
