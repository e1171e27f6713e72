import { createWriteStream } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { readingBackup, sayingWhyOfFile, writingBackup } from '@dealkeep/core/installation';

/** For a file: this process's standard output or input. */
const standard = '-';

/** Has a backup written to a file, or to standard output where it is `-`. Raises OperatorError. */
export const writingTo = <Result>(
  file: string,
  write: (out: Writable) => Promise<Result>,
): Promise<Result> =>
  file === standard
    ? sayingWhyOfFile('standard output', () => write(createWriteStream('', { fd: 1, autoClose: false })))
    : writingBackup(file, write);

/** Has a backup read from a file, or from standard input where it is `-`. Raises OperatorError. */
export const readingFrom = <Result>(
  file: string,
  stdin: Readable,
  read: (source: Readable) => Promise<Result>,
): Promise<Result> => (file === standard ? read(stdin) : readingBackup(file, read));
