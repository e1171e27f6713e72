// `npm run install:n8n --workspace n8n-nodes-dealkeep -- 2.41.1`: installs that n8n once, and prints its folder.
import { installN8n } from './install-n8n.ts';

const [version] = process.argv.slice(2);
process.stdout.write(`${await installN8n(version)}\n`);
