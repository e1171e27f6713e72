/**
 * The columns that a partial body really changes, against the row as it stands: absent fields stay, equal ones are
 * no change. Undefined when nothing changes.
 */
export function changesOf<Body extends object>(row: object, body: Body): Partial<Body> | undefined {
  const current = new Map(Object.entries(row));
  const changed = Object.entries(body).filter(
    ([column, value]) => value !== undefined && JSON.stringify(current.get(column)) !== JSON.stringify(value),
  );
  if (changed.length === 0) return undefined;
  const changes: Partial<Body> = {};
  for (const [column, value] of changed) Object.assign(changes, { [column]: value });
  return changes;
}
