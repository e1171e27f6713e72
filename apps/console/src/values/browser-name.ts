// The first match counts, because each of these also names those that come later.
const browsers: readonly [RegExp, string][] = [
  [/Edg(?:A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\//, 'Firefox'],
  [/(?:Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox, Linux` of a `User-Agent`, so that people know it; undefined when it names neither. */
export function browserName(userAgent: string | null): string | undefined {
  const named = [browsers, systems].flatMap(
    (kinds) => kinds.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? [],
  );
  return named.length > 0 ? named.join(', ') : undefined;
}
