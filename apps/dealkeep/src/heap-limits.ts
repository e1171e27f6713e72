import { constants, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// Left to itself, Node lets the young generation grow to 130 MB, and an API under load fills whatever it gets with
// the garbage of requests. Held here, its peak under load is 40 MB lower (docs/decisions/0031-the-heap-is-held.md).
// The limit itself can be given on the command line only; that it grows no further can be said at any time.
const youngGenerationLimit = 16 * 1024 * 1024;

// The old generation may grow by as much as lives between two collections, where Node would let it grow to three or
// four times as much, and by so many bytes at most: where more lives, it is that of thousands of readers who wait,
// and each of their requests lives long enough to become old garbage. Smaller steps cost lists CPU time.
const oldGenerationStep = 32 * 1024 * 1024;
const letGrowBy = (percent: number): void => setFlagsFromString(`--heap-growing-percent=${percent}`);
letGrowBy(100);

// It grows until it is so large, and again after it was made small, as by a collection of everything.
let youngIsHeld = false;
const observer = new PerformanceObserver((entries) => {
  const spaces = getHeapSpaceStatistics();
  const young = spaces.find((space) => space.space_name === 'new_space');
  const isLarge = young !== undefined && young.space_size >= youngGenerationLimit;
  if (isLarge !== youngIsHeld) {
    setFlagsFromString(`--semi-space-growth-factor=${isLarge ? 1 : 2}`);
    youngIsHeld = isLarge;
  }
  const isMajor = (entry: object): boolean =>
    'detail' in entry && Object(entry.detail).kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  if (!entries.getEntries().some(isMajor)) return;
  const living =
    spaces.reduce((sum, space) => sum + space.space_used_size, 0) - (young?.space_used_size ?? 0);
  letGrowBy(Math.max(20, Math.min(100, Math.round((100 * oldGenerationStep) / living))));
});
observer.observe({ entryTypes: ['gc'] });

/**
 * Gives back to the system what loading the program has left: 50 MB of sources, syntax trees and tables that nobody
 * needs any more, and that V8 would keep for as long as requests come. Takes as long as some collections, so once,
 * and before anybody is answered.
 */
export function giveBackGarbageOfStart(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('V8 does not say how garbage is collected');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
