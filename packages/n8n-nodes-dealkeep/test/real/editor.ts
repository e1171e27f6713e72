import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { N8nSession } from './n8n-session.ts';

/** Where the pictures of the editor are left, for people to look at. */
export const screenshotFolder = join(import.meta.dirname, '../../screenshots');

/** n8n's editor as a person sees it: what is clicked and typed, and nothing beside it. */
export class Editor {
  readonly page: Page;

  private constructor(page: Page) {
    this.page = page;
  }

  /** Opens a new workflow in the owner's session. */
  static async open(browser: Browser, session: N8nSession): Promise<Editor> {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, locale: 'en-GB' });
    const [name = '', value = ''] = session.cookie.split(/=(.*)/);
    await context.addCookies([{ name, value, url: session.origin }]);
    // n8n ties a session to the browser that it began in.
    await context.addInitScript(
      ([key, id]) => localStorage.setItem(String(key), String(id)),
      ['n8n-browserId', session.browserId],
    );
    const page = await context.newPage();
    // Shorter than a test may take, so that what was waited for is named.
    page.setDefaultTimeout(30_000);
    // What is opened while the editor still loads may be drawn anew under the click.
    await page.goto(`${session.origin}/workflow/new`, { waitUntil: 'networkidle', timeout: 60_000 });
    return new Editor(page);
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** A part of the editor that can be seen, by the name that n8n gives it for tests. */
  part(name: string): Locator {
    return this.page.locator(`[data-test-id="${name}"]`).filter({ visible: true });
  }

  async picture(name: string): Promise<void> {
    await mkdir(screenshotFolder, { recursive: true });
    await this.page.screenshot({ path: join(screenshotFolder, `${name}.png`), animations: 'disabled' });
  }

  /**
   * Does a step again until what it brings is seen: n8n draws a part anew while it loads, and the click on it is
   * lost.
   */
  async #until(seen: Locator, step: () => Promise<void>): Promise<void> {
    for (let left = 3; ; left -= 1) {
      try {
        await step();
        return await seen.waitFor({ timeout: 15_000 });
      } catch (error) {
        if (left === 1) throw error;
      }
    }
  }

  /** Opens the panel of nodes and looks for one. */
  async lookFor(words: string): Promise<void> {
    const search = this.part('node-creator-search-bar');
    await this.#until(search, async () => {
      if (await search.isVisible()) return;
      await this.part('canvas-add-button').or(this.part('canvas-handle-plus')).first().click();
    });
    await search.fill(words);
  }

  /** Adds what starts the workflow when a button is clicked. */
  async addManualTrigger(): Promise<void> {
    const node = this.part('canvas-default-node').or(this.part('canvas-trigger-node')).first();
    await this.#until(node, async () => {
      await this.lookFor('manual');
      const entry = this.part('node-creator-item-name').getByText('Trigger manually');
      await entry.click({ timeout: 10_000 });
    });
  }

  /** Adds our node by one of its actions, as the panel names them. Its parameters stand open then. */
  async addDealkeep(action: string): Promise<void> {
    const entry = this.page.getByText(action, { exact: true });
    await this.#until(entry, async () => {
      await this.lookFor('dealkeep');
      const node = this.part('node-creator-item-name').getByText('Dealkeep', { exact: true });
      await node.click({ timeout: 10_000 });
    });
    await this.#until(this.part('ndv'), () => entry.click({ timeout: 10_000 }));
  }

  /** Opens the form of a new credential. */
  async newCredential(): Promise<Locator> {
    const first = this.page.getByRole('button', { name: 'Connect to Dealkeep' });
    const select = this.part('node-credentials-select');
    const form = this.part('editCredential-modal');
    await first.or(select).first().waitFor();
    // Before n8n knows which credentials there are, it offers to make the first one, and takes that back.
    const isFirst =
      (await first.isVisible()) &&
      (await first.click({ timeout: 5000 }).then(
        () => true,
        async (error: unknown) => {
          if (await select.isVisible()) return false;
          throw error;
        },
      ));
    if (!isFirst) {
      const make = this.part('node-credentials-select-item-new');
      await this.#until(make, async () => {
        if (!(await make.isVisible())) await select.click();
      });
      await make.click();
    }
    await form.waitFor();
    return form;
  }

  /** The form begins with the way of the latest credential, whoever made that. */
  async #chooseKey(form: Locator): Promise<void> {
    const key = this.page.getByRole('menuitem', { name: 'API Key', exact: true });
    await this.#until(key, async () => {
      if (!(await key.isVisible())) await form.getByRole('button', { name: /^(API Key|OAuth2)$/ }).click();
    });
    await key.click();
  }

  /** Fills in an input until it holds the text: drawn anew, it is empty again. */
  async #type(input: Locator, text: string): Promise<void> {
    await expect
      .poll(
        async () => {
          if ((await input.inputValue()) !== text) await input.fill(text);
          return input.inputValue();
        },
        { timeout: 30_000 },
      )
      .toBe(text);
  }

  /** Fills in the form of a new credential for a key and saves it. It closes when the connection works. */
  async connect(baseUrl: string, apiKey: string): Promise<void> {
    const form = await this.newCredential();
    await this.#chooseKey(form);
    await this.#type(form.locator('[data-test-id="parameter-input-apiKey"] input'), apiKey);
    await this.#type(form.locator('[data-test-id="parameter-input-baseUrl"] input'), baseUrl);
    await this.part('credential-save-button').click();
  }

  /** Adds an optional field to the form by its name. */
  async addField(name: string): Promise<void> {
    // A field of several fields, such as filters, is no item.
    const added = this.part('ndv')
      .locator('.parameter-item, .multi-parameter')
      .getByText(name, { exact: true });
    await this.#until(added.first(), () =>
      this.#take(this.part('collection-parameter-add').locator('input').first(), name),
    );
  }

  /** Opens a list and takes one of its names. A list that is closing can still be seen, but takes no click. */
  async #take(list: Locator, name: string): Promise<void> {
    const choice = this.page.locator('.el-select-dropdown:visible').getByText(name, { exact: true });
    if (!(await choice.isVisible())) await list.click({ timeout: 10_000 });
    await choice.click({ timeout: 5_000 });
  }

  /** The names of the fields that a collection still offers, whose button is called so. Leaves its list open. */
  async fieldsToAdd(button: string): Promise<string[]> {
    await this.page
      .getByPlaceholder(button, { exact: true })
      .or(this.page.getByText(button, { exact: true }))
      .last()
      .click();
    const list = this.page.locator('.el-select-dropdown:visible');
    await list.locator('li').first().waitFor();
    return (await list.locator('li').allTextContents()).map((text) => text.trim());
  }

  /** Takes a name of an open list. */
  async take(name: string): Promise<void> {
    await this.page.locator('.el-select-dropdown:visible').getByText(name, { exact: true }).click();
  }

  /** Takes several choices of a dropdown. */
  async chooseSeveral(parameter: string, names: readonly string[]): Promise<void> {
    await this.part(`parameter-input-${parameter}`).locator('.el-select__input').click();
    for (const name of names) await this.take(name);
    await this.page.keyboard.press('Escape');
  }

  /** Asks again for the fields of a mapper, where it was opened before its credential was chosen. */
  async loadMappedFields(): Promise<void> {
    const retry = this.part('mapping-mode-select').getByText('Retry');
    const fields = this.part('mapping-fields-container');
    await retry.or(fields).first().waitFor();
    if (await retry.isVisible()) await retry.click();
    await fields.waitFor();
  }

  /** Adds one of the fields that the mapper knows; a single one has a button of its own. */
  async addMappedField(name: string): Promise<void> {
    await this.part('add-fields-select').getByRole('button').click();
    const choice = this.page.getByRole('menuitem', { name, exact: true });
    const input = this.part('mapping-fields-container').getByText(name, { exact: true });
    await choice.or(input).first().waitFor();
    if (await choice.isVisible()) await choice.click();
    await input.waitFor();
  }

  /** Takes a choice of the first field in the mapper. */
  async chooseMapped(name: string): Promise<void> {
    await this.#take(this.part('mapping-fields-container').locator('.el-select input').first(), name);
  }

  /** Lets the mapper take the columns of the input. */
  async mapAutomatically(): Promise<void> {
    await this.#take(this.part('mapping-mode-select').locator('input'), 'Map Automatically');
  }

  async fill(parameter: string, text: string): Promise<void> {
    await this.#type(this.part(`parameter-input-${parameter}`).locator('input'), text);
  }

  /** Opens the list of a reference, narrows it by typing, and gives the names once they are there. */
  async choices(parameter: string, search?: string): Promise<string[]> {
    await this.part(`resource-locator-${parameter}`).locator('[data-test-id="rlc-input"]').click();
    if (search !== undefined) {
      await this.page.locator('[data-test-id="rlc-search"]:visible').pressSequentially(search);
      await this.part('rlc-item').filter({ hasNotText: search }).first().waitFor({ state: 'hidden' });
    }
    await this.part('rlc-item').first().waitFor();
    return (await this.part('rlc-item').allTextContents()).map((text) => text.trim());
  }

  /** Takes one of the names of an open list. */
  async choose(name: string): Promise<void> {
    await this.part('rlc-item').getByText(name, { exact: true }).click();
  }

  /** Runs the open node. */
  async execute(): Promise<void> {
    await this.part('node-execute-button').click();
  }

  /** What the open node gave out, once it has run. */
  output(): Locator {
    return this.part('output-panel');
  }
}
