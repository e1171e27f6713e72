import { join } from 'node:path';

export const screenshotFolder = join(import.meta.dirname, '../../screenshots');
