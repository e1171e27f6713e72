/**
 * The manifest as it is published: without what builds the package, which no one who installs it can run, and
 * without packages that are in no registry.
 */
export function publishedManifest<Manifest extends { scripts: unknown; devDependencies: unknown }>({
  scripts: _scripts,
  devDependencies: _devDependencies,
  ...published
}: Manifest): Omit<Manifest, 'scripts' | 'devDependencies'> {
  return published;
}
