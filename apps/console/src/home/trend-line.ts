import { html } from 'hono/html';
import type { Markup } from '../markup.ts';

const [width, height, edge] = [240, 48, 2];

/**
 * Values over time as a line, from the left to the right, with what it shows in a sentence for whoever does not see
 * it.
 */
export function trendLine(
  id: string,
  { title, about }: { title: string; about: string },
  values: readonly number[],
): Markup {
  const most = Math.max(...values, 1);
  const x = (index: number): number =>
    round(edge + (index * (width - 2 * edge)) / Math.max(1, values.length - 1));
  const y = (value: number): number => round(height - edge - (value / most) * (height - 2 * edge));
  const points = values.map((value, index) => `${x(index)},${y(value)}`).join(' ');
  const area = `${x(0)},${height} ${points} ${width - edge},${height}`;
  return html`<svg class="trend" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-about"><title id="${id}-title">${title}</title><desc id="${id}-about">${about}</desc>
<polygon points="${area}"/><polyline points="${points}"/></svg>`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
