import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { screenshotFolder } from './screenshot-folder.ts';

/** How a page is looked at. */
export interface Look {
  readonly colours: 'light' | 'dark';
  readonly width: 1280 | 390;
  readonly language: 'en' | 'sk';
}

/** Four looks in which each two of the properties meet in each way. */
export const looks: readonly Look[] = [
  { colours: 'light', width: 1280, language: 'en' },
  { colours: 'dark', width: 390, language: 'en' },
  { colours: 'light', width: 390, language: 'sk' },
  { colours: 'dark', width: 1280, language: 'sk' },
];

const nameOf = ({ colours, width, language }: Look): string => `${language}-${colours}-${width}`;

const mostTransferred = 100_000;

/** A browser window whose every page is judged. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Opens a path of the console. */
  open(path: string): Promise<void>;
  /**
   * Judges the page as it stands and keeps a picture of it: no accessibility violation, nothing wider than the
   * window, nothing asked of anybody else, no violation of the policy, no error, at most 100 kB since it was opened.
   * What an open page asks for again and again, by the clock or while somebody types, is not counted: it is as much
   * as one waits or types.
   */
  judge(name: string): Promise<void>;
}

/** A window of its own, for one test. */
export async function visitor(
  browser: Browser,
  origin: string,
  look: Look = { colours: 'light', width: 1280, language: 'en' },
  options: { javaScriptEnabled?: boolean; hasTouch?: boolean } = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: look.width, height: look.width === 390 ? 844 : 800 },
    colorScheme: look.colours,
    locale: look.language,
    reducedMotion: 'reduce',
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  // Every page is paid for as if it were the first.
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });

  let transferred = 0;
  const complaints: string[] = [];
  const repeated = new Set<string>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (/\/live$|^\/choices\//.test(new URL(request.url).pathname)) repeated.add(requestId);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (!repeated.has(requestId)) transferred += encodedDataLength;
  });
  page.on('request', (request) => {
    const asked = new URL(request.url());
    if (asked.origin !== origin && asked.protocol !== 'data:') complaints.push(`asks for ${request.url()}`);
    if (request.isNavigationRequest()) transferred = 0;
  });
  // A page that says why it refuses something is no error of the page.
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !/the server responded with a status of 4\d\d/.test(text))
      complaints.push(text);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));

  return {
    page,
    context,
    async open(path) {
      await page.goto(path);
    },
    async judge(name) {
      await keepPicture(session, `${name}.${nameOf(look)}.png`);
      const judged = {
        violations: options.javaScriptEnabled === false ? [] : await violationsOn(page),
        complaints: complaints.splice(0),
        tooWide: await widthOf(page, look.width),
        tooLarge: transferred > mostTransferred ? transferred : undefined,
      };
      expect(judged, `${name} (${nameOf(look)}) at ${page.url()}`).toEqual({
        violations: [],
        complaints: [],
        tooWide: undefined,
        tooLarge: undefined,
      });
    },
  };
}

async function keepPicture(session: CDPSession, name: string): Promise<void> {
  await mkdir(screenshotFolder, { recursive: true });
  // By the protocol itself: Playwright's own way waits for two frames, and packs the picture as small as it can.
  const { data } = await session.send('Page.captureScreenshot', {
    captureBeyondViewport: true,
    optimizeForSpeed: true,
  });
  await writeFile(join(screenshotFolder, name), Buffer.from(data, 'base64'));
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** What it found in order is not told, so it need not be gathered; all that is shown comes from the page itself. */
const options: RunOptions = { resultTypes: ['violations'], preload: false };

/** What axe finds, in a line for each element. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const results = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${target.join(' ')}: ${failureSummary}`),
  );
}

/** How wide the page is where it is wider than its window. */
async function widthOf(page: Page, window: number): Promise<number | undefined> {
  const width = await page.evaluate<number>('document.documentElement.scrollWidth');
  return width > window ? width : undefined;
}
