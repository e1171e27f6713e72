interface Renderer {
  readonly utils: { escapeHtml(text: string): string };
  readonly renderer: {
    readonly rules: Record<string, (tokens: readonly { content: string }[], at: number) => string>;
  };
}

/** How VitePress reads our pages: as GitHub does, and nothing in them is a template. */
export const markdown = {
  html: false,
  linkify: false,
  anchor: {
    // As GitHub makes the anchor of a heading, so that links lead there in both places.
    slugify: (title: string): string =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
  },
  config({ renderer, utils }: Renderer): void {
    const text = (content: string) => utils.escapeHtml(content).replaceAll('{', '&#123;');
    renderer.rules['text'] = (tokens, at) => text(tokens[at]?.content ?? '');
    renderer.rules['code_inline'] = (tokens, at) => `<code v-pre>${text(tokens[at]?.content ?? '')}</code>`;
  },
};
