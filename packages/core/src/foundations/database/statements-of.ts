/** Statements of SQL, apart: a semicolon ends one, unless it stands in a text, a comment or a quoted body. */
export function statementsOf(text: string): string[] {
  const part = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|(\$\w*\$)[\s\S]*?\1|;|[^;'"$/-]+|[\s\S]/g;
  const statements = [''];
  for (const [piece] of text.matchAll(part)) {
    if (/^(?:--|\/\*)/.test(piece)) continue;
    if (piece === ';') statements.push('');
    else statements[statements.length - 1] += piece;
  }
  return statements.filter((statement) => statement.trim() !== '');
}
