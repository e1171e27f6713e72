// Compares the contract with the one that was released last, in released/: what clients rely on stays. With
// --release it is kept as the released one: `npm run release:contract`.
import { breaksBetween } from './compatibility/compare-surfaces.ts';
import { currentSurface, releasedSurface, writeReleased } from './compatibility/released.ts';

const current = currentSurface();
const breaks = breaksBetween(await releasedSurface(), current);
if (breaks.length > 0) {
  process.stderr.write(
    `${breaks.join('\n')}\nWithin a version of the API only additions come (rule versioning 4).\n`,
  );
  process.exitCode = 1;
} else if (process.argv.includes('--release')) {
  await writeReleased(current);
  process.stdout.write('The contract is kept in packages/contract/released; commit it with the release.\n');
} else {
  process.stdout.write('The contract adds to the released one, and takes nothing away.\n');
}
