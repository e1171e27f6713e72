import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

// Left to itself, Node lets the young generation grow to 130 MB, and an API under load fills whatever it gets with the
// garbage of requests. Held here, its peak under load is 40 MB lower (docs/decisions/0031-the-heap-is-held.md). The
// limit itself can be given on the command line only; that it grows no further can be said at any time.
const youngGenerationLimit = 16 * 1024 * 1024;

// The old generation may grow by this many percent of what lives between two collections, where Node would let it grow
// to three or four times as much. Smaller steps cost lists CPU time.
setFlagsFromString('--heap-growing-percent=100');

const observer = new PerformanceObserver(() => {
  const young = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  if (young && young.space_size < youngGenerationLimit) return;
  setFlagsFromString('--semi-space-growth-factor=1');
  observer.disconnect();
});
observer.observe({ entryTypes: ['gc'] });
