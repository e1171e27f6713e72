import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  DefaultReporter,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';
import { isLong, totalOf } from './cost.ts';
import { addressOf, rulesNamedIn, sentenceOf } from './rules.ts';
import { quickRun } from './test-settings.ts';

const repository = join(import.meta.dirname, '..', '..', '..');

/** What each test file took when it was last run: CPU seconds, then seconds, then tests; the dearest first. */
export const costsFile = join(repository, 'node_modules/.cache/dealkeep/test-costs.tsv');

/** With more files than these, those that pass are counted and not listed. */
const listedFiles = 20;
const progressMs = 10_000;

/**
 * A run as a developer wants to see it: how far it is, what failed and which rules that breaks, and what was left
 * out.
 */
export default class RunReporter extends DefaultReporter {
  #vitest: Vitest | undefined;
  #files = 0;
  #done = 0;
  #failed = 0;
  #tests = 0;
  #toldAt = 0;

  override onInit(vitest: Vitest): void {
    this.#vitest = vitest;
    super.onInit(vitest);
  }

  override onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    this.#files = specifications.length;
    this.#toldAt = performance.now();
    super.onTestRunStart(specifications);
  }

  override printTestModule(module: TestModule): void {
    if (this.#files <= listedFiles || module.state() === 'failed') super.printTestModule(module);
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    this.#done += 1;
    for (const test of module.children.allTests()) {
      this.#tests += 1;
      if (test.result().state === 'failed') this.#failed += 1;
    }
    if (!this.isTTY && this.#files > listedFiles && performance.now() - this.#toldAt >= progressMs)
      this.#tell();
  }

  override onTestRunEnd(
    modules: ReadonlyArray<TestModule>,
    errors: Parameters<DefaultReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    this.#tellBrokenRules(modules);
    this.#tellLeftOut();
    keepCosts(modules);
  }

  #tell(): void {
    this.#toldAt = performance.now();
    const seconds = Math.round((this.#toldAt - this.start) / 1000);
    this.log(
      ` ${this.#done} of ${this.#files} files, ${this.#tests} tests, ${this.#failed} failed, ${seconds} s`,
    );
  }

  #tellBrokenRules(modules: ReadonlyArray<TestModule>): void {
    const broken = new Set<string>();
    for (const module of modules)
      for (const test of module.children.allTests('failed'))
        for (const rule of rulesNamedIn(test.fullName)) broken.add(rule);
    if (broken.size === 0) return;
    this.log('Rules that these tests keep:\n');
    for (const rule of broken) this.log(`  ${addressOf(rule)}\n    ${sentenceOf(rule) ?? ''}`);
    this.log();
  }

  #tellLeftOut(): void {
    if (this.#vitest?.config.mode !== quickRun) return;
    const all = globSync('{apps,packages}/*/test/**/*.test.ts', {
      cwd: repository,
      exclude: ['**/node_modules/**'],
    });
    const left = all.filter(isLong);
    if (this.#files < all.length - left.length) return;
    this.log(
      `This was the quick run. Left out: ${left.length} files (*.long.test.ts: programs that are killed, backups, moves, large tables, whole matrices).\nEverything: npm run test:all, or what your change can touch: npm run test:all -- --changed\n`,
    );
  }
}

function keepCosts(modules: ReadonlyArray<TestModule>): void {
  const lines = new Map<string, string>();
  for (const line of readCosts()) lines.set(line.split('\t').at(-1) ?? '', line);
  for (const module of modules) {
    const { cost } = module.meta();
    if (!cost) continue;
    const { tests, programs, database } = cost;
    const seconds = module.diagnostic().duration / 1000;
    const figures = [totalOf(cost), tests, programs, database, seconds].map((each) => each.toFixed(1));
    const line = [...figures, [...module.children.allTests()].length, module.relativeModuleId];
    lines.set(module.relativeModuleId, line.join('\t'));
  }
  const dearestFirst = [...lines.values()].sort((a, b) => Number.parseFloat(b) - Number.parseFloat(a));
  mkdirSync(dirname(costsFile), { recursive: true });
  writeFileSync(costsFile, [costsHead, ...dearestFirst, ''].join('\n'));
}

const costsHead = 'cpu\tof tests\tof programs\tof database\tseconds\ttests\tfile';

function readCosts(): string[] {
  try {
    return readFileSync(costsFile, 'utf8').trimEnd().split('\n').slice(1);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
