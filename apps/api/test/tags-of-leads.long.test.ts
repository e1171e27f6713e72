import { tryTags } from './tags-of-a-kind.ts';

tryTags('lead');
