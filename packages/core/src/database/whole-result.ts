/**
 * Mends a statement's result before anybody sees it. When a statement fails or its connection breaks after the first
 * rows came, postgres.js 3.4.9 goes on counting from there, and the next result on that connection begins with as
 * many holes. Answers the statement.
 */
export function withWholeResult<Statement>(statement: Statement): Statement {
  if (!isQuery(statement)) return statement;
  const { resolve } = statement;
  statement.resolve = (result) => resolve(withoutHoles(result));
  return statement;
}

interface Query {
  resolve: (result: unknown) => void;
}

const isQuery = (value: unknown): value is Query =>
  value instanceof Promise && 'resolve' in value && typeof value.resolve === 'function';

function withoutHoles(result: unknown): unknown {
  if (!Array.isArray(result) || result.length === 0 || 0 in result) return result;
  const [first = '0'] = Object.keys(result);
  result.splice(0, Number(first));
  return result;
}
