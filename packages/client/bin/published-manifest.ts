export interface SourceManifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** Only for this repository. */
const sourceMembers = new Set(['private', 'scripts', 'devDependencies']);

/**
 * The package.json that is published: that of the sources, with entry points to what was built, and without the
 * packages whose part is printed into it.
 */
export function publishedManifest(source: SourceManifest): Record<string, unknown> {
  const kept = Object.entries(source).filter(([member]) => !sourceMembers.has(member));
  const dependencies = Object.entries(source.dependencies).filter(([name]) => !name.startsWith('@dealkeep/'));
  return {
    ...Object.fromEntries(kept),
    sideEffects: false,
    exports: {
      '.': { types: './lib/index.d.ts', default: './lib/index.js' },
      './package.json': './package.json',
    },
    files: ['lib'],
    dependencies: Object.fromEntries(dependencies),
    publishConfig: { access: 'public' },
  };
}
