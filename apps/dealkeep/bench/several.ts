import { type Figure, figure, median } from './figures.ts';
import { type Measured, measure, noteOf, type Target } from './measure.ts';
import { type LoadGenerator, type RunningProcess, startListener, startRole } from './processes.ts';
import type { Bench } from './ratios.ts';
import { helloRequests, requestsOf, writesOf } from './targets.ts';

const ports = [4711, 4712, 4713];
/** Of each process, so that each of three has what the one alone has. */
const connectionsOfEach = 8;

/**
 * What several processes cost: the CPU time of three for a request, against that of one. Where there are cores to
 * spare, it says how much more three do than one; throughput would say how many cores there are. Three that share
 * two cores take each other's caches, and so do three of a bare "hello", which have nothing in common: what these
 * cost more is taken off. In alternating slices, so that whatever else the machine does meets all.
 */
export async function measureSeveral({ url, load, businesses, scale, say }: Bench): Promise<Figure[]> {
  const environment = { DATABASE_URL: url, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  const three = await Promise.all(ports.map((port) => startRole('api', port, environment)));
  const hellos = await Promise.all(ports.map(() => startListener('../../api/bench/hello.ts')));
  try {
    const kinds = {
      'GET /leads/{id}': requestsOf(businesses).lead,
      'POST /companies with a key': writesOf(businesses).company,
    };
    const figures: Figure[] = [];
    for (const [name, requests] of Object.entries(kinds)) {
      // One that is not warm takes up to twice the CPU time.
      for (const each of three)
        await measure(load, { processes: [each], requests, connections: connectionsOfEach }, 3000);
      const rounds = scale < 1 ? 9 : 21;
      const own: Compared[] = [];
      const bare: Compared[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        say(`Three processes: ${name}, round ${round} of ${rounds} …`);
        own.push(await compare(load, three, requests));
        bare.push(await compare(load, hellos, helloRequests));
      }
      const [raw, control] = [own, bare].map((all) => median(all.map(({ ratio }) => ratio)));
      figures.push(
        figure(`three processes, ${name}`, (raw ?? Number.NaN) / (control ?? Number.NaN), {
          unit: 'of the CPU time of one, as three hellos to one',
          rule: 'at most',
          goal: 1.1,
          note: `${raw?.toFixed(2)} for ${control?.toFixed(2)} of hello; ${noteOf(own.map(({ together }) => together))}`,
        }),
      );
    }
    return figures;
  } finally {
    await Promise.all([...three, ...hellos].map((each) => each.stop()));
  }
}

interface Compared {
  ratio: number;
  together: Measured;
}

/** All of the processes, each with as much to do as the first has alone before and after. */
async function compare(
  load: LoadGenerator,
  processes: readonly RunningProcess[],
  requests: readonly string[],
): Promise<Compared> {
  const alone: Target = { processes: processes.slice(0, 1), requests, connections: connectionsOfEach };
  const all: Target = { processes, requests, connections: processes.length * connectionsOfEach };
  const before = await measure(load, alone, 600);
  const together = await measure(load, all, 1200);
  const after = await measure(load, alone, 600);
  return { ratio: cpuOf(together) / ((cpuOf(before) + cpuOf(after)) / 2), together };
}

const cpuOf = ({ cpu }: Measured): number => cpu ?? Number.NaN;
