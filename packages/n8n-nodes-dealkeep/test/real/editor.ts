import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
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
    page.setDefaultTimeout(60_000);
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

  /** Opens the panel of nodes and looks for one. */
  async lookFor(words: string): Promise<void> {
    await this.part('canvas-add-button').or(this.part('canvas-handle-plus')).first().click();
    await this.part('node-creator-search-bar').fill(words);
  }

  /** Adds what starts the workflow when a button is clicked. */
  async addManualTrigger(): Promise<void> {
    await this.lookFor('manual');
    // The panel draws its list anew while it is searched, and may close over a slow click: then it is opened again.
    const entry = this.part('node-creator-item-name').getByText('Trigger manually');
    await entry.click({ timeout: 15_000 }).catch(async () => {
      await this.page.keyboard.press('Escape');
      await this.lookFor('manual');
      await entry.click();
    });
    await this.part('canvas-default-node').or(this.part('canvas-trigger-node')).first().waitFor();
  }

  /** Adds our node by one of its actions, as the panel names them. Its parameters stand open then. */
  async addDealkeep(action: string): Promise<void> {
    await this.lookFor('dealkeep');
    await this.part('node-creator-item-name').getByText('Dealkeep', { exact: true }).click();
    await this.page.getByText(action, { exact: true }).click();
    await this.part('ndv').waitFor();
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
      await select.click();
      await this.part('node-credentials-select-item-new').click();
    }
    await form.waitFor();
    return form;
  }

  /** The form begins with the way of the latest credential, whoever made that. */
  async #chooseKey(form: Locator): Promise<void> {
    await form.getByRole('button', { name: /^(API Key|OAuth2)$/ }).click();
    await this.page.getByRole('menuitem', { name: 'API Key', exact: true }).click();
  }

  /** Fills in the form of a new credential for a key and saves it. It closes when the connection works. */
  async connect(baseUrl: string, apiKey: string): Promise<void> {
    const form = await this.newCredential();
    await this.#chooseKey(form);
    await form.locator('[data-test-id="parameter-input-apiKey"] input').fill(apiKey);
    await form.locator('[data-test-id="parameter-input-baseUrl"] input').fill(baseUrl);
    await this.part('credential-save-button').click();
  }

  /** Adds an optional field to the form by its name. */
  async addField(name: string): Promise<void> {
    await this.part('collection-parameter-add').locator('input').first().click();
    await this.page.locator('.el-select-dropdown:visible').getByText(name, { exact: true }).click();
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
    await this.part('mapping-fields-container').locator('.el-select input').first().click();
    await this.page.locator('.el-select-dropdown:visible').getByText(name, { exact: true }).click();
  }

  /** Lets the mapper take the columns of the input. */
  async mapAutomatically(): Promise<void> {
    await this.part('mapping-mode-select').locator('input').click();
    await this.page.locator('.el-select-dropdown:visible').getByText('Map Automatically').click();
  }

  async fill(parameter: string, text: string): Promise<void> {
    await this.part(`parameter-input-${parameter}`).locator('input').fill(text);
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
