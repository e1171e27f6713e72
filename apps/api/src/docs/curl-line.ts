import {
  basePath,
  fieldsOf,
  type OperationDeclaration,
  pathParameters,
  requestExample,
} from '@dealkeep/contract';

/** A command that calls an operation with its example, for a POSIX shell that holds the key in DEALKEEP_KEY. */
export function curlLine(declaration: OperationDeclaration, origin: string): string {
  const { method, path } = declaration;
  const examples = new Map(
    fieldsOf(pathParameters(declaration)).map(({ name, description }) => [
      name,
      String(description?.example),
    ]),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => examples.get(name) ?? whole);
  const body = requestExample(declaration);
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${origin}${basePath}${filled}`)}`,
    '-H "Authorization: Bearer $DEALKEEP_KEY"',
  ];
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`);
  }
  return parts.join(' \\\n  ');
}

/** Text in single quotes, as a POSIX shell reads it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
