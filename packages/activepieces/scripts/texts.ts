/** Where the platform looks for the texts of a piece that it shows in other languages. */
const paths = [
  'description',
  'auth.description',
  'auth.props.*.displayName',
  'auth.props.*.description',
  ...['actions', 'triggers'].flatMap((kind) => [
    `${kind}.*.displayName`,
    `${kind}.*.description`,
    `${kind}.*.props.*.displayName`,
    `${kind}.*.props.*.description`,
    `${kind}.*.props.*.options.options.*.label`,
  ]),
];

/** Every text of a piece under itself, which is how translators are given them. */
export function textsOf(metadata: unknown): Record<string, string> {
  const texts = paths.flatMap((path) => textsAt(metadata, path.split('.')));
  return Object.fromEntries([...new Set(texts)].map((text) => [text, text]));
}

function textsAt(value: unknown, [step, ...rest]: readonly string[]): string[] {
  if (step === undefined) return typeof value === 'string' && value !== '' ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  const inner: unknown[] = step === '*' ? Object.values(value) : [Reflect.get(value, step)];
  return inner.flatMap((each) => textsAt(each, rest));
}
