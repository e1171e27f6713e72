import { tryStoredAsTold } from './stored-as-told.ts';

tryStoredAsTold(3);
